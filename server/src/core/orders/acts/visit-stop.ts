import { AppError } from '../../../platform/errors/app-error.ts'
import { noteArrival, noteDeparture } from '../legs.ts'
import { findReceiver, type OrderRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import { isHeard, setArrived, setDeparted, setVisitBefore } from './act-queries.ts'
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

/** Moves the arrival at a stop of a locked order, or its departure, which a fence told, to an instant before: a fix of then came late. */
export async function moveVisit(
  ctx: ActContext,
  order: OrderRow,
  receiverId: string,
  { kind, at }: { kind: 'arrived' | 'departed'; at: Date },
): Promise<void> {
  const before = await findReceiver(ctx, order.id, receiverId)
  const moved = await setVisitBefore(ctx, receiverId, { kind, at })
  if (!moved) return
  await noteAct(ctx, order, {}, { kind, at, zone: moved.zone, receiverId })
  const instant = kind === 'arrived' ? before.arrived_at : before.departed_at
  ctx.audit({
    action: `orders.${kind}`,
    target: auditTarget(order),
    before: { receiver: before.name, at: instant?.toISOString() },
    after: { receiver: moved.name, at: at.toISOString() },
  })
  if (moved.arrived_at) await noteArrival(ctx, order, moved, moved.arrived_at)
  if (moved.departed_at) await noteDeparture(ctx, order, moved, moved.departed_at)
}
