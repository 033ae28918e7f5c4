import { OrderPattern } from '@isotherm/contract/order-templates.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { orderDetails } from '../../core/orders/present-order.ts'
import type { Context, Viewer } from '../../platform/context.ts'
import { carriedDevices, findDriver, findVehicle, knownContacts } from './check-queries.ts'

/** An order as a form to make it again fills itself in: without dates, insurance, and what is not there any more. */
export async function repeatOrder(ctx: Viewer & Pick<Context, 'services'>, id: string): Promise<OrderPattern> {
  return usablePattern(ctx, patternOf(await orderDetails(ctx, id)))
}

function patternOf(order: OrderDetails): OrderPattern {
  const receivers = order.receiverList.filter(({ items }) => items.length > 0)
  const places = new Map(receivers.map(({ id }, index) => [id, index]))
  const lineOf = (kind: 'delivery' | 'other') => order.price?.lines.filter((line) => line.kind === kind) ?? []
  const { address: _address, ...sender } = order.sender
  return OrderPattern.parse({
    reference: order.reference,
    sender,
    pickup: stopOf(order.pickup),
    receivers: receivers.map(({ party, stop, locale, items }) => {
      const { address: _kept, ...person } = party
      return { ...person, stop: stopOf(stop), locale, items: items.map(itemOf) }
    }),
    ...{ driverId: order.driver?.id ?? null, vehicleId: order.vehicle?.id ?? null },
    devices: order.devices.map(({ id, role, receiverId }) => ({
      ...{ id, role, receiver: receiverId === null ? null : (places.get(receiverId) ?? null) },
    })),
    ...{ startRule: order.startRule, endRule: order.endRule, lot: order.lot, budget: order.budget, note: order.note },
    currency: order.currency,
    deliveryFee: lineOf('delivery').find(({ isByCard }) => !isByCard)?.amount ?? null,
    otherLines: lineOf('other').map(({ label, amount }) => ({ label: label ?? '', amount })),
  })
}

const stopOf = ({ country, ...stop }: OrderDetails['pickup']) => ({ ...stop, ...(country !== null && { country }) })

const itemOf = (item: OrderDetails['receiverList'][number]['items'][number]) => ({
  ...{ name: item.name, quantity: item.quantity, unitCount: item.unitCount, weightG: item.weightG },
  ...{ worth: item.worth, note: item.note },
})

/** A pattern without what the person does not see, or what is not there or not usable any more. */
export async function usablePattern(ctx: Viewer, pattern: OrderPattern): Promise<OrderPattern> {
  const contactIds = [pattern.sender, ...pattern.receivers].flatMap(({ contactId }) => contactId ?? [])
  const contacts = await knownContacts(ctx, contactIds)
  const usable = (
    await carriedDevices(
      ctx,
      pattern.devices.map(({ id }) => id),
    )
  ).filter(({ is_decommissioned, is_sample }) => !is_decommissioned && !is_sample)
  const deviceIds = new Set(usable.map(({ id }) => String(id)))
  const driver = pattern.driverId === null ? undefined : await findDriver(ctx, pattern.driverId)
  const vehicle = pattern.vehicleId === null ? undefined : await findVehicle(ctx, pattern.vehicleId)
  const known = <P extends { contactId: string | null }>(party: P): P => ({
    ...party,
    contactId: party.contactId !== null && contacts.has(party.contactId) ? party.contactId : null,
  })
  return {
    ...pattern,
    sender: known(pattern.sender),
    receivers: pattern.receivers.map((receiver) => ({ ...known(receiver), windowFrom: null, windowBy: null })),
    driverId: driver?.is_usable ? pattern.driverId : null,
    vehicleId: vehicle?.is_usable ? pattern.vehicleId : null,
    devices: pattern.devices.filter(({ id }) => deviceIds.has(id)),
    insurancePlanId: null,
  }
}
