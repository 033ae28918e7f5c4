import { isOpen } from '../../../domain/order-lifecycle.ts'
import { invalidField } from '../../../platform/errors/app-error.ts'
import { closeRecord } from '../../records/record-queries.ts'
import { voidInsurance } from '../insurance.ts'
import { tellReceivers } from '../links.ts'
import type { OrderRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import { isHeard, lockReceivers, moveOrder, runDevices, setSettled } from './act-queries.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { happenedTo, instantOf, refuseBefore, refuseMove } from './refusals.ts'

export interface Cancellation extends Act {
  reason?: string | null | undefined
  /** Where the goods go that are under way. */
  returnTo?: string | null | undefined
}

/**
 * Cancels a locked order and what is left to deliver of it. Under way a reason is needed, and its insurance stays: the risk was borne. Throws
 * ORDER_OVER, TIME_OUT_OF_ORDER or VALIDATION.
 */
export async function cancelOrder(ctx: ActContext, order: OrderRow, cancellation: Cancellation): Promise<OrderRow> {
  const { reason = null, returnTo = null, requestId } = cancellation
  if (await isHeard(ctx, order.id, requestId)) return order
  await refuseMove(ctx, order, 'cancel')
  const isUnderWay = order.state === 'inProgress'
  if (isUnderWay && !reason) throw invalidField('reason', 'required')
  const at = instantOf(ctx, cancellation.at)
  const receivers = await lockReceivers(ctx, order.id)
  refuseBefore(ctx, order.pickup_zone, at, happenedTo(order, receivers))
  if (!isUnderWay) await voidInsurance(ctx, order, reason ?? '')
  const open = receivers.filter(isOpen)
  for (const { id } of open) await setSettled(ctx, id, { outcome: 'cancelled', at, reason, source: ctx.by.source })
  const changed = { cancelled_at: at, cancel_reason: reason, return_to: isUnderWay ? returnTo : null }
  const cancelled = await moveOrder(ctx, order.id, 'cancel', ctx.clock.now(), changed)
  if (!cancelled) throw new Error(`order ${order.id} was locked, and cancelled all the same`)
  await runDevices(ctx, order.id, false)
  if (order.record_id !== null) await closeRecord(ctx, order.record_id, at)
  await noteAct(ctx, order, cancellation, { kind: 'cancelled', at, detail: { reason, returnTo: changed.return_to } })
  const told = open.map(({ id }) => id)
  await tellReceivers(ctx, cancelled, 'cancelled', told)
  ctx.audit({
    action: 'orders.cancelled',
    target: auditTarget(order),
    before: { state: order.state },
    after: { at: at.toISOString(), returnTo: changed.return_to },
    ...(reason === null ? {} : { reason }),
  })
  return cancelled
}
