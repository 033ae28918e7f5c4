import type { OrderChange } from '@isotherm/contract/new-order.ts'
import { actContext } from '../../core/orders/acts/act-context.ts'
import { refuseMove } from '../../core/orders/acts/refusals.ts'
import { announceOrder } from '../../core/orders/announce-order.ts'
import { receiverIdsOf, replaceDevices, replaceReceivers, updateOrder } from '../../core/orders/change-queries.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { requestInsurance, voidInsurance } from '../../core/orders/insurance.ts'
import { lockOrder, type OrderRow } from '../../core/orders/order-queries.ts'
import { orderDetails } from '../../core/orders/present-order.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { auditSnapshot, targetOf } from './audit-facts.ts'
import { checkOrder } from './check-order.ts'
import { keptInsurance } from './kept-insurance.ts'
import { deviceDrafts, orderColumns, receiverDrafts } from './order-rows.ts'

/**
 * Changes an order that has not started. A plan that is given insures it anew; without one its insurance stays, and the start asks whether it
 * still covers the goods. Throws ORDER_STARTED, ORDER_OVER, CHANGED_MEANWHILE, INSURANCE_MISMATCH and what `checkOrder` throws.
 */
export async function changeOrder(ctx: Context, id: string, { version, ...input }: OrderChange): Promise<OrderRow> {
  const acting = actContext(ctx)
  const order = await lockOrder(ctx, id)
  await refuseMove(acting, order, 'start')
  if (order.version !== version)
    throw new AppError('CHANGED_MEANWHILE', { name: showTrackingCode(order.tracking_code) })
  const known = await receiverIdsOf(ctx, id)
  for (const [index, { id: receiverId }] of input.receivers.entries())
    if (receiverId !== undefined && !known.has(receiverId))
      throw invalidField(`receivers.${index}.id`, 'rule.unknownItem')
  const before = await orderDetails(ctx, id)
  const draft = await checkOrder(
    ctx,
    { ...input, receivers: input.receivers.map(({ id: _id, ...rest }) => rest) },
    order,
  )
  const kept = await keptInsurance(ctx, id, draft)
  const changed = await updateOrder(ctx, id, {
    ...orderColumns(draft),
    ...(kept && { price: JSON.stringify(kept.price), currency: kept.price.currency }),
    // A person who sees nothing private leaves that as it was.
    ...(before.hiddenDevices > 0 && { shows_private: order.shows_private }),
    updated_at: ctx.clock.now(),
  })
  const receiverIds = await replaceReceivers(
    ctx,
    id,
    receiverDrafts(draft).map((receiver, index) => ({ ...receiver, id: input.receivers[index]?.id })),
  )
  const seen = before.devices.map((device) => Number(device.id))
  const devices = deviceDrafts(draft).map(({ receiver, ...device }) => ({
    ...{ ...device, receiver_id: receiver === null ? null : (receiverIds[receiver] ?? null) },
  }))
  await replaceDevices(ctx, id, seen, devices)
  await noteEvent(ctx, id, { kind: 'changed', at: ctx.clock.now(), zone: draft.pickup.timezone, by: acting.by })
  announceOrder(ctx, id)
  ctx.audit({
    ...{ action: 'orders.changed', target: targetOf(order), after: auditSnapshot(changed, draft) },
    before: {
      ...{ reference: before.reference, sender: before.sender.name, deliverBy: before.deliverBy },
      ...{ receivers: before.receiverList.map(({ party }) => party.name), driverId: order.driver_id },
      ...{ vehicleId: order.vehicle_id, deviceIds: before.devices.map((device) => device.id) },
      ...{ total: before.total, currency: before.currency },
    },
  })
  if (input.insurancePlanId !== null) {
    await voidInsurance(acting, changed, 'changed')
    await requestInsurance(acting, changed, input.insurancePlanId, draft.worth)
  }
  return changed
}
