import type { Payment } from '@isotherm/contract/billing.ts'
import type { UnitPurchase } from '@isotherm/contract/wallet.ts'
import { lockAccount } from '../../core/billing/account-queries.ts'
import { openPurchase } from '../../core/billing/open-purchase.ts'
import { payAfterCommit, payingCard } from '../../core/billing/pay.ts'
import { livePaymentOfUnits } from '../../core/billing/payment-queries.ts'
import { showPayment } from '../../core/billing/show-payment.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import { salePriceOf } from './prices.ts'

/** For so long the same units of the same person are the same payment: a double click, a second browser, a way back. */
const sameMs = 30 * 60_000

/**
 * Pays for units at the price that was shown, with a saved card, or begins to: then the payer pays on the provider's page. Throws
 * BILLING_DETAILS_NEEDED, PAYMENTS_OFF, NOT_SOLD, PRICE_CHANGED, NOT_FOUND, CARD_UNUSABLE, PAYMENT_UNDER_WAY, PAYMENT_DECLINED,
 * PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export async function buyUnits(
  ctx: Context,
  wanted: UnitPurchase,
  isBundle: boolean,
): Promise<Payment | AfterCommit<Payment>> {
  const account = await lockAccount(ctx)
  if (!account) throw new AppError('BILLING_DETAILS_NEEDED')
  const sold = await salePriceOf(ctx, wanted, isBundle)
  const { currency, total } = sold.price
  if (total !== wanted.total || currency !== wanted.currency) throw new AppError('PRICE_CHANGED')
  const saved = wanted.cardId === undefined ? null : await payingCard(ctx, wanted.cardId)
  const by = { cardId: saved?.card.id ?? null, keepsCard: !saved && wanted.keepCard === true }
  const provider = saved?.provider ?? sold.provider
  const since = new Date(ctx.clock.now().getTime() - sameMs)
  const same = await livePaymentOfUnits(ctx, { ...wanted, ...by, askedBy: ctx.person.id, since })
  if (same) return showPayment(ctx, same.id)
  const asked = { purpose: 'units' as const, unit_kind: wanted.kind, units: wanted.units }
  const opened = await openPurchase(ctx, provider, account, asked, sold.price, by)
  ctx.audit({
    action: 'billing.purchaseBegun',
    target: { kind: 'purchase', id: opened.purchase.id, name: opened.payment.reference },
    after: { kind: wanted.kind, units: wanted.units, amount: total, currency },
  })
  return payAfterCommit(ctx, provider, opened, (id) => `/wallet/overview?payment=${id}`)
}
