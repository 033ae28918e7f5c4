import type { Outcome } from '@isotherm/contract/orders.ts'
import { AppError, invalidField } from '../../../platform/errors/app-error.ts'
import { findReceiver, itemsOf, type OrderRow, type ReceiverRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import {
  type IncompleteItem,
  type ItemOutcome,
  incompleteItems,
  isHeard,
  setSettled,
  settleItems,
} from './act-queries.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { instantOf, refuseBefore, refuseNotRunning } from './refusals.ts'

export interface Settlement extends Act {
  outcome: Outcome
  /** The outcome of single items; of the others all was delivered, or nothing. Of goods that were not taken only the reasons count. */
  items?: readonly ItemOutcome[] | undefined
  reason?: string | null | undefined
}

/**
 * Writes what became of the goods of a receiver of a locked order. Throws ORDER_NOT_STARTED, ORDER_OVER, RECEIVER_SETTLED,
 * TIME_OUT_OF_ORDER, VALIDATION or NOT_FOUND.
 */
export async function settleReceiver(
  ctx: ActContext,
  order: OrderRow,
  receiverId: string,
  settlement: Settlement,
): Promise<void> {
  if (await isHeard(ctx, order.id, settlement.requestId)) return
  const receiver = await findReceiver(ctx, order.id, receiverId)
  await refuseNotRunning(ctx, order)
  await refuseOddItems(ctx, order, receiverId, settlement.items ?? [])
  await settle(ctx, order, receiver, settlement)
}

/** Throws VALIDATION where an item is none of the receiver's, or more of it was delivered than there was. */
export async function refuseOddItems(
  ctx: ActContext,
  order: OrderRow,
  receiverId: string,
  named: readonly ItemOutcome[],
  path = '',
): Promise<void> {
  if (named.length === 0) return
  const own = (await itemsOf(ctx, order.id)).filter(({ receiver_id }) => receiver_id === receiverId)
  const odd = named.findIndex(
    (one) => !own.some(({ id, quantity }) => id === one.id && one.deliveredQuantity <= quantity),
  )
  if (odd !== -1) throw invalidField(`${path}items.${odd}`, 'rule.unknownItem')
}

const isTaken = (outcome: Outcome) => outcome === 'delivered' || outcome === 'partlyDelivered'
const nothingOf = (item: ItemOutcome): ItemOutcome => ({ ...item, deliveredQuantity: 0 })

/** A part was delivered, and no item says which: so nobody knows of any. */
function unnamedOf(outcome: Outcome, named: number) {
  if (outcome === 'partlyDelivered' && named === 0) return 'unknown'
  return isTaken(outcome) ? 'all' : 'nothing'
}

/** "7 / 10 × Box: wet". An event keeps the first ones. */
const partOf = ({ name, quantity, delivered_quantity: delivered, refused_reason: reason }: IncompleteItem) =>
  `${delivered ?? '?'} / ${quantity} × ${name}${reason ? `: ${reason}` : ''}`

/** The same of a receiver who is known, for acts that settle others, too. */
export async function settle(ctx: ActContext, order: OrderRow, receiver: ReceiverRow, settlement: Settlement) {
  const { outcome, reason = null, items = [] } = settlement
  const at = instantOf(ctx, settlement.at)
  refuseBefore(ctx, receiver.zone, at, [{ kind: 'started', at: order.started_at ?? at }])
  const settled = await setSettled(ctx, receiver.id, { outcome, at, reason, source: ctx.by.source })
  if (!settled) throw new AppError('RECEIVER_SETTLED', { name: receiver.name })
  await settleItems(ctx, receiver.id, unnamedOf(outcome, items.length), isTaken(outcome) ? items : items.map(nothingOf))
  const incomplete = await incompleteItems(ctx, order.id, receiver.id)
  const told: Record<string, string[]> =
    outcome === 'partlyDelivered' && incomplete.length > 0 ? { items: incomplete.map(partOf) } : {}
  await noteAct(ctx, order, settlement, {
    ...{ kind: 'handedOver', at, zone: receiver.zone, receiverId: receiver.id, detail: { outcome, reason, ...told } },
  })
  ctx.audit({
    action: 'orders.receiverSettled',
    target: auditTarget(order),
    after: { receiver: receiver.name, outcome, at: at.toISOString(), ...told },
    ...(reason === null ? {} : { reason }),
  })
}
