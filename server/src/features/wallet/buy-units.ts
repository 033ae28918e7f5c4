import type { Payment } from '@isotherm/contract/billing.ts'
import type { UnitPurchase } from '@isotherm/contract/wallet.ts'
import { lockAccount } from '../../core/billing/account-queries.ts'
import { beginPayment } from '../../core/billing/begin-payment.ts'
import { describePurchase } from '../../core/billing/describe-purchase.ts'
import { openPurchase } from '../../core/billing/open-purchase.ts'
import { openTransfer } from '../../core/billing/open-transfer.ts'
import { livePaymentOfUnits } from '../../core/billing/payment-queries.ts'
import { readPayment, showPayment } from '../../core/billing/show-payment.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { salePriceOf } from './prices.ts'

/** For so long the same units of the same person are the same payment: a double click, a second browser, a way back. */
const sameMs = 30 * 60_000

/**
 * Begins to pay for units at the price that was shown. Nothing is charged: the payer does that on the provider's page, or at their bank.
 * Throws BILLING_DETAILS_NEEDED, PAYMENTS_OFF, NOT_SOLD, PRICE_CHANGED, PAYMENT_UNDER_WAY, INVOICES_OWED, PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export async function buyUnits(
  ctx: Context,
  wanted: UnitPurchase,
  isBundle: boolean,
): Promise<Payment | AfterCommit<Payment>> {
  const account = await lockAccount(ctx)
  if (!account) throw new AppError('BILLING_DETAILS_NEEDED')
  const { price, provider } = await salePriceOf(ctx, wanted, isBundle)
  const { currency, total } = price
  if (total !== wanted.total || currency !== wanted.currency) throw new AppError('PRICE_CHANGED')
  const since = new Date(ctx.clock.now().getTime() - sameMs)
  const same = await livePaymentOfUnits(ctx, { ...wanted, askedBy: ctx.person.id, since })
  if (same) return showPayment(ctx, same.id)
  const asked = { unit_kind: wanted.kind, units: wanted.units }
  const { purchase, payment } = provider
    ? await openPurchase(ctx, provider, account, asked, price)
    : await openTransfer(ctx, account, asked, price)
  ctx.audit({
    action: 'billing.purchaseBegun',
    target: { kind: 'purchase', id: purchase.id, name: payment.reference },
    after: { kind: wanted.kind, units: wanted.units, amount: total, currency },
  })
  if (!provider) return showPayment(ctx, payment.id)
  const { services, companyId } = ctx
  const text = {
    email: ctx.person.email,
    description: describePurchase(purchase, ctx.locale),
    returnUrl: `${services.config.publicUrl}/wallet/overview?payment=${payment.id}`,
    locale: ctx.locale,
  }
  return new AfterCommit(async () => {
    const { state } = await beginPayment(services, provider, companyId, payment, text)
    if (state === 'failed') throw new AppError('PAYMENT_REFUSED')
    if (state === 'cancelled') throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
    return readPayment(services, companyId, payment.id)
  })
}
