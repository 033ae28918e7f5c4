import type { Outcome } from '@isotherm/contract/orders.ts'
import { isOpen, leftLastStopAt } from '../../../domain/order-lifecycle.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { closeRecord } from '../../records/record-queries.ts'
import { type OrderRow, type ReceiverRow, receiversOf } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import { type ItemOutcome, isHeard, lockReceivers, moveOrder, runDevices, updateOrder } from './act-queries.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { happenedTo, instantOf, refuseBefore, refuseMove } from './refusals.ts'
import { refuseOddItems, settle } from './settle-receiver.ts'

interface Rest {
  outcome: Outcome
  reason?: string | null | undefined
}

export interface Ending extends Act {
  /** The outcome of single stops that are still open. */
  outcomes?: readonly ({ receiverId: string; items?: readonly ItemOutcome[] | undefined } & Rest)[] | undefined
  /** The outcome of all others. */
  rest?: Rest | undefined
}

/**
 * Ends a locked order and its record at an instant; what is measured before it counts, however late it comes. By the rule `and` it ends once
 * somebody has said so and its devices have left the last stop. Throws ORDER_NOT_STARTED, ORDER_OVER, RECEIVER_OPEN, RECEIVER_SETTLED,
 * TIME_OUT_OF_ORDER or VALIDATION.
 */
export async function endOrder(ctx: ActContext, order: OrderRow, ending: Ending): Promise<OrderRow> {
  if (await isHeard(ctx, order.id, ending.requestId)) return order
  await refuseMove(ctx, order, 'end')
  const told = instantOf(ctx, ending.at)
  const before = await lockReceivers(ctx, order.id)
  refuseBefore(ctx, order.pickup_zone, told, happenedTo(order, before))
  await settleOpen(ctx, order, before, ending, told)
  const receivers = await receiversOf(ctx, [order.id])
  const other = ctx.by.source === 'geofence' ? order.end_asked_at : leftLastStopAt(receivers)
  if (order.end_rule === 'and' && !other) return askedOf(ctx, order, ending, told)
  const at = order.end_rule === 'and' && other && other > told ? other : told
  return finish(ctx, order, ending, at, receivers.at(-1)?.zone ?? order.pickup_zone)
}

async function settleOpen(
  ctx: ActContext,
  order: OrderRow,
  receivers: readonly ReceiverRow[],
  { outcomes = [], rest }: Ending,
  at: Date,
): Promise<void> {
  for (const [index, { receiverId, items = [] }] of outcomes.entries()) {
    const named = receivers.find(({ id }) => id === receiverId)
    if (!named) throw new AppError('NOT_FOUND')
    if (!isOpen(named)) throw new AppError('RECEIVER_SETTLED', { name: named.name })
    await refuseOddItems(ctx, order, receiverId, items, `outcomes.${index}.`)
  }
  for (const receiver of receivers.filter(isOpen)) {
    const named = outcomes.find(({ receiverId }) => receiverId === receiver.id)
    const known = named ?? rest
    if (!known) throw new AppError('RECEIVER_OPEN', { name: receiver.name })
    const { outcome, reason } = known
    await settle(ctx, order, receiver, { outcome, reason, items: named?.items, at: receiver.departed_at ?? at })
  }
}

async function askedOf(ctx: ActContext, order: OrderRow, act: Act, at: Date): Promise<OrderRow> {
  if (ctx.by.source === 'geofence') return order
  await noteAct(ctx, order, act, { kind: 'changed', at, detail: { asked: 'end' } })
  ctx.audit({ action: 'orders.endAsked', target: auditTarget(order), after: { at: at.toISOString() } })
  return updateOrder(ctx, order.id, { end_asked_at: at }, ctx.clock.now())
}

async function finish(ctx: ActContext, order: OrderRow, act: Act, at: Date, zone: string): Promise<OrderRow> {
  const ended = await moveOrder(ctx, order.id, 'end', ctx.clock.now(), { ended_at: at })
  if (!ended) throw new Error(`order ${order.id} was locked, and ended all the same`)
  await runDevices(ctx, order.id, false)
  if (order.record_id !== null) await closeRecord(ctx, order.record_id, at)
  await noteAct(ctx, order, act, { kind: 'ended', at, zone })
  ctx.audit({ action: 'orders.ended', target: auditTarget(order), after: { at: at.toISOString() } })
  return ended
}
