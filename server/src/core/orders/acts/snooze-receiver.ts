import { orderLimits } from '@isotherm/contract/orders.ts'
import { AppError, invalidField } from '../../../platform/errors/app-error.ts'
import { tellReceivers } from '../links.ts'
import { findReceiver, type OrderRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import { isHeard, setSnoozed, setUnsnoozed } from './act-queries.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { instantOf, refuseMove } from './refusals.ts'

const dayMs = 86_400_000

/** An order that is over is snoozed no more: throws ORDER_OVER. */
const refuseOver = (ctx: ActContext, order: OrderRow) => refuseMove(ctx, order, 'cancel')

/**
 * Puts a stop of a locked order off; the temperature of its goods is watched all the same. Throws ORDER_OVER, RECEIVER_SETTLED, VALIDATION
 * or NOT_FOUND.
 */
export async function snoozeReceiver(
  ctx: ActContext,
  order: OrderRow,
  receiverId: string,
  { until, reason = null, ...act }: Act & { until: Date; reason?: string | null | undefined },
): Promise<void> {
  if (await isHeard(ctx, order.id, act.requestId)) return
  const receiver = await findReceiver(ctx, order.id, receiverId)
  await refuseOver(ctx, order)
  const now = ctx.clock.now()
  if (until <= now) throw invalidField('until', 'rule.snoozeInPast')
  if (until.getTime() > now.getTime() + orderLimits.snoozeDays * dayMs)
    throw invalidField('until', 'rule.periodTooLong', { limit: orderLimits.snoozeDays })
  if (!(await setSnoozed(ctx, receiverId, { until, reason })))
    throw new AppError('RECEIVER_SETTLED', { name: receiver.name })
  const detail = { until: until.toISOString(), reason }
  await noteAct(ctx, order, act, {
    ...{ kind: 'snoozed', at: instantOf(ctx, act.at), zone: receiver.zone, receiverId, detail },
  })
  await tellReceivers(ctx, order, 'snoozed', [receiverId])
  ctx.audit({
    action: 'orders.receiverSnoozed',
    target: auditTarget(order),
    after: { receiver: receiver.name, until: until.toISOString() },
    ...(reason === null ? {} : { reason }),
  })
}

/**
 * Ends the snooze of a stop of a locked order; does nothing where there is none, or, with `until`, where it was snoozed for longer meanwhile. Throws
 * NOT_FOUND.
 */
export async function unsnoozeReceiver(
  ctx: ActContext,
  order: OrderRow,
  receiverId: string,
  { until = null, ...act }: Act & { until?: Date | null },
): Promise<void> {
  const receiver = await findReceiver(ctx, order.id, receiverId)
  if (!(await setUnsnoozed(ctx, receiverId, until))) return
  await noteAct(ctx, order, act, { kind: 'unsnoozed', at: instantOf(ctx, act.at), zone: receiver.zone, receiverId })
  await tellReceivers(ctx, order, 'unsnoozed', [receiverId])
  ctx.audit({ action: 'orders.receiverUnsnoozed', target: auditTarget(order), after: { receiver: receiver.name } })
}
