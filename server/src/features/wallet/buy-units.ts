import type { Payment } from '@isotherm/contract/billing.ts'
import type { UnitPurchase } from '@isotherm/contract/wallet.ts'
import { buy, buyerAccount, refuseOtherPrice } from '../../core/billing/buy.ts'
import type { Context } from '../../platform/context.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { salePriceOf } from './prices.ts'

/**
 * Begins to pay for units at the price that was shown. Throws BILLING_DETAILS_NEEDED, PAYMENTS_OFF, NOT_SOLD, PRICE_CHANGED,
 * PAYMENT_UNDER_WAY, INVOICES_OWED, PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export async function buyUnits(
  ctx: Context,
  wanted: UnitPurchase,
  isBundle: boolean,
): Promise<Payment | AfterCommit<Payment>> {
  const account = await buyerAccount(ctx)
  const { price, provider } = await salePriceOf(ctx, wanted, isBundle)
  refuseOtherPrice(price, wanted)
  const { kind, units } = wanted
  const number = new Intl.NumberFormat(ctx.locale).format(units)
  return buy(ctx, account, {
    bought: { purpose: 'units', unit_kind: kind, units },
    ...{ price, provider, facts: { kind, units }, path: '/wallet/overview' },
    description: translate(ctx.locale, `wallet:bought.${kind}`, { count: units, number }),
  })
}
