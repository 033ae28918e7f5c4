import type { NewItem } from '@isotherm/contract/new-order.ts'
import type { ItemDraft, ReceiverDraft } from '../../core/orders/insert-order.ts'
import type { Context } from '../../platform/context.ts'
import type { OrderDraft } from './draft-order.ts'

/** The columns of an order that somebody types. */
export const orderColumns = ({ input, pickup, pickupAt, deliverBy, phones, price, currency }: OrderDraft) => ({
  reference: input.reference,
  sender: JSON.stringify({ ...input.sender, phone: phones.sender, address: pickup.address }),
  ...{
    pickup_address: pickup.address,
    pickup_lat: pickup.lat,
    pickup_lon: pickup.lon,
    pickup_radius_m: pickup.radiusM,
  },
  ...{ pickup_zone: pickup.timezone, pickup_country: pickup.country ?? null, pickup_at: pickupAt },
  deliver_by: deliverBy,
  ...{ driver_id: input.driverId, vehicle_id: input.vehicleId, shows_private: input.showsPrivate },
  ...{ start_rule: input.startRule, end_rule: input.endRule, lot: input.lot, note: input.note },
  budget: input.budget && JSON.stringify(input.budget),
  price: price && JSON.stringify(price),
  currency,
})

/** The columns of each receiver, with the items. */
export const receiverDrafts = ({ input, stops, windows, phones }: OrderDraft): ReceiverDraft[] =>
  input.receivers.flatMap((receiver, index) => {
    const stop = stops[index]
    if (!stop) return []
    return {
      ...{ contact_id: receiver.contactId, name: receiver.name, company_name: receiver.company, email: receiver.email },
      ...{ phone: phones.receivers[index] ?? null, address: stop.address, lat: stop.lat, lon: stop.lon },
      ...{ radius_m: stop.radiusM, zone: stop.timezone, country: stop.country ?? null, locale: receiver.locale },
      ...{ window_from: windows[index]?.from ?? null, window_by: windows[index]?.by ?? null },
      items: receiver.items.map(itemDraft),
    }
  })

const itemDraft = (item: NewItem): ItemDraft => ({
  ...{ name: item.name, quantity: item.quantity, unit_count: item.unitCount, weight_g: item.weightG },
  ...{ worth: item.worth, note: item.note },
})

export const deviceDrafts = ({ input }: OrderDraft) =>
  input.devices.map(({ id, role, receiver }) => ({ device_id: Number(id), role, receiver }))

export const madeBy = ({ clock, person }: Context) => ({
  ...{ created_at: clock.now(), created_by: person.id, created_by_name: person.fullname, updated_at: clock.now() },
})
