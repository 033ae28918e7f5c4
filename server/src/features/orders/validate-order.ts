import type { CheckedOrder, OrderCheck } from '@isotherm/contract/new-order.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import type { Context } from '../../platform/context.ts'
import { checkOrder } from './check-order.ts'
import { keptInsurance } from './kept-insurance.ts'

/** The checks of an order that is about to be made or changed, and what it would be. Throws what `checkOrder` throws, and NOT_FOUND. */
export async function validateOrder(ctx: Context, { orderId, ...input }: OrderCheck): Promise<CheckedOrder> {
  if (orderId === undefined) return (await checkOrder(ctx, input)).checked
  const order = await findOrder(ctx, orderId)
  const draft = await checkOrder(ctx, input, order)
  const kept = await keptInsurance(ctx, order.id, draft)
  if (!kept) return draft.checked
  const warnings = [
    ...(kept.isEnough ? [] : [{ code: 'insuranceMismatch' as const, values: {} }]),
    ...draft.checked.warnings,
  ]
  return { ...draft.checked, price: kept.price, warnings }
}
