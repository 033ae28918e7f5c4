import { AppError } from '../../../platform/errors/app-error.ts'
import { noteArrival, noteDeparture } from '../legs.ts'
import { findReceiver, type OrderRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import { isHeard, setArrived, setDeparted } from './act-queries.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { instantOf, refuseBefore, refuseNotRunning } from './refusals.ts'

/**
 * Writes that a locked order has reached a stop; where that is known already, an account of a phone is kept beside it. Throws
 * ORDER_NOT_STARTED, ORDER_OVER, RECEIVER_SETTLED, TIME_OUT_OF_ORDER, VALIDATION or NOT_FOUND.
 */
export async function arriveAt(ctx: ActContext, order: OrderRow, receiverId: string, act: Act): Promise<void> {
  if (await isHeard(ctx, order.id, act.requestId)) return
  const receiver = await findReceiver(ctx, order.id, receiverId)
  await refuseNotRunning(ctx, order)
  const at = instantOf(ctx, act.at)
  refuseBefore(ctx, receiver.zone, at, [{ kind: 'started', at: order.started_at ?? at }])
  const event = { kind: 'arrived', at, zone: receiver.zone, receiverId } as const
  const arrived = await setArrived(ctx, receiverId, at)
  if (!arrived && receiver.arrived_at === null) throw new AppError('RECEIVER_SETTLED', { name: receiver.name })
  if (!arrived && act.requestId === undefined) return
  await noteAct(ctx, order, act, event)
  ctx.audit({
    action: 'orders.arrived',
    target: auditTarget(order),
    after: { receiver: receiver.name, at: at.toISOString() },
  })
  if (arrived) await noteArrival(ctx, order, arrived, at)
}

/** Writes that a locked order has left a stop where it was. Throws ORDER_NOT_STARTED, ORDER_OVER, VALIDATION or NOT_FOUND. */
export async function departFrom(ctx: ActContext, order: OrderRow, receiverId: string, act: Act): Promise<void> {
  if (await isHeard(ctx, order.id, act.requestId)) return
  const receiver = await findReceiver(ctx, order.id, receiverId)
  await refuseNotRunning(ctx, order)
  const at = instantOf(ctx, act.at)
  if (receiver.arrived_at) refuseBefore(ctx, receiver.zone, at, [{ kind: 'arrived', at: receiver.arrived_at }])
  const departed = await setDeparted(ctx, receiverId, at)
  if (!departed) return
  await noteAct(ctx, order, act, { kind: 'departed', at, zone: receiver.zone, receiverId })
  ctx.audit({
    action: 'orders.departed',
    target: auditTarget(order),
    after: { receiver: receiver.name, at: at.toISOString() },
  })
  await noteDeparture(ctx, order, departed, at)
}
