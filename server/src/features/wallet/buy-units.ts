import type { Payment } from '@isotherm/contract/billing.ts'
import type { UnitPurchase } from '@isotherm/contract/wallet.ts'
import { buy, buyerAccount, refuseOtherPrice } from '../../core/billing/buy.ts'
import type { Context } from '../../platform/context.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import { salePriceOf } from './prices.ts'

/**
 * Pays for units at the price that was shown, with a saved card, on a page or by transfer. Throws BILLING_DETAILS_NEEDED, PAYMENTS_OFF,
 * NOT_SOLD, PRICE_CHANGED, NOT_FOUND, CARD_UNUSABLE, PAYMENT_UNDER_WAY, INVOICES_OWED, PAYMENT_DECLINED, PAYMENT_REFUSED or
 * PROVIDER_UNREACHABLE.
 */
export async function buyUnits(
  ctx: Context,
  wanted: UnitPurchase,
  isBundle: boolean,
): Promise<Payment | AfterCommit<Payment>> {
  const account = await buyerAccount(ctx)
  const { price, provider } = await salePriceOf(ctx, wanted, isBundle)
  refuseOtherPrice(price, wanted)
  const { kind, units, cardId, keepCard } = wanted
  return buy(ctx, account, {
    bought: { purpose: 'units', unit_kind: kind, units },
    ...{ price, provider, facts: { kind, units }, path: '/wallet/overview' },
    ...{ cardId, keepCard },
  })
}
