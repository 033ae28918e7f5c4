import type { PriceSummary } from '@isotherm/contract/orders.ts'
import { coverFault, startOf } from '../../core/orders/cover.ts'
import { priceWithPremium } from '../../core/orders/insurance.ts'
import { type InsuranceRow, insuranceOf } from '../../core/orders/insurance-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OrderDraft } from './draft-order.ts'

/**
 * The insurance of an order that stays as the order becomes a draft: the price with its premium, and whether it is enough for the goods
 * still. Null: the order has none, or gets another one. Throws INSURANCE_MISMATCH where the currency would be another one.
 */
export async function keptInsurance(
  ctx: Context,
  orderId: string,
  draft: OrderDraft,
): Promise<{ price: PriceSummary; isEnough: boolean } | null> {
  const insurance = draft.input.insurancePlanId === null ? await insuranceOf(ctx, orderId) : undefined
  if (insurance?.state !== 'requested' && insurance?.state !== 'certified') return null
  if (draft.currency !== null && draft.currency !== insurance.currency)
    throw new AppError('INSURANCE_MISMATCH', { reason: 'currency' })
  const premium = { label: insurance.plan.name, amount: Number(insurance.premium) }
  return {
    price: priceWithPremium(draft.price, insurance.currency, premium),
    isEnough: isEnough(ctx, insurance, draft),
  }
}

/** Until the certificate is there, the worth counts that was asked for. */
function isEnough(ctx: Context, insurance: InsuranceRow, { worth, pickupAt, deliverBy }: OrderDraft): boolean {
  if (insurance.state === 'requested') return worth <= Number(insurance.worth)
  return coverFault(insurance, { worth, from: startOf(ctx, { pickup_at: pickupAt }), until: deliverBy }) === null
}
