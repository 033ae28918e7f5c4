import type { Payment } from '@isotherm/contract/billing.ts'
import type { RenewalPayment } from '@isotherm/contract/plans.ts'
import { buyerAccount, goOnPaying, refuseOtherPrice } from '../../core/billing/buy.ts'
import { needProofToCharge } from '../../core/billing/card-proof.ts'
import { openPayment } from '../../core/billing/open-purchase.ts'
import { openPeriodTransfer } from '../../core/billing/open-transfer.ts'
import { payAfterCommit, providerOfCard } from '../../core/billing/pay.ts'
import { type PaymentRow, updatePayment } from '../../core/billing/payment-queries.ts'
import { receivedOf } from '../../core/billing/receipt-queries.ts'
import { oweNextPeriod } from '../../core/billing/renewal-purchase.ts'
import { owedPurchase, unsettledPayment } from '../../core/billing/renewal-queries.ts'
import { showPayment } from '../../core/billing/show-payment.ts'
import { type SubscriptionRow, subscriptionById } from '../../core/billing/subscription-queries.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import { payPath } from './subscribe.ts'

/** Whether a person may pay the next period now: it is owed, or no card will pay it and its notice was sent. */
export async function mayPayNow(of: TenantTx, row: SubscriptionRow): Promise<boolean> {
  if (row.state === 'cancelled' || row.cancel_at_end) return false
  if (row.state === 'active' && row.card_id === null && row.renewal_step > 0) return true
  return row.state !== 'active' && (await owedPurchase(of, row)) !== undefined
}

/**
 * Pays for the next period of a subscription at the price that was shown, with a saved card, on a page or by transfer. A period that is paid before
 * its time begins in its time. Throws BILLING_DETAILS_NEEDED, NOT_FOUND, NOTHING_OWED, PAYMENTS_OFF, PLAN_NOT_SOLD, PRICE_CHANGED,
 * CARD_UNUSABLE, PROOF_NEEDED, INVOICES_OWED, PAYMENT_DECLINED, PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export async function payRenewal(
  ctx: Context,
  id: string,
  { cardId, keepCard = false, payBy, ...shown }: RenewalPayment,
): Promise<Payment | AfterCommit<Payment>> {
  const account = await buyerAccount(ctx)
  const row = orNotFound(await subscriptionById(ctx, id))
  // It may be paid meanwhile, and then nothing is owed.
  const cutOff = await goOnPaying(ctx, payPath)
  if (cutOff) return cutOff
  if (!(await mayPayNow(ctx, row))) throw new AppError('NOTHING_OWED')
  const { payments, config } = ctx.services
  const byTransfer = payBy === 'transfer' && cardId === undefined
  const provider = cardId === undefined ? payments.of(row.currency) : await providerOfCard(ctx, cardId)
  if (!(byTransfer || provider) || !config.billing.isOn) throw new AppError('PAYMENTS_OFF')
  const owed = await oweNextPeriod({ tx: ctx.tx, companyId: ctx.companyId, now: ctx.clock.now() }, account, row)
  if (!owed) throw new AppError('PLAN_NOT_SOLD')
  const { purchase } = owed
  const unsettled = await unsettledPayment(ctx, purchase.id)
  if (unsettled && (byTransfer || !(await givesUpTransfer(ctx, unsettled)))) return showPayment(ctx, unsettled.id)
  refuseOtherPrice({ currency: purchase.currency, total: Number(purchase.total) }, shown)
  if (cardId !== undefined) await needProofToCharge(ctx, shown)
  const by = { cardId: cardId ?? null, keepsCard: cardId === undefined && keepCard, callKey: ctx.callKey }
  const payment =
    byTransfer || !provider
      ? await openPeriodTransfer(ctx, account, purchase)
      : await openPayment(ctx, provider, purchase, by)
  ctx.audit({
    action: 'billing.purchaseBegun',
    target: { kind: 'purchase', id: purchase.id, name: payment.reference },
    after: { plan: purchase.plan_name, billing: purchase.cadence, amount: shown.total, currency: shown.currency },
  })
  if (byTransfer || !provider) return showPayment(ctx, payment.id)
  return payAfterCommit(ctx, provider, { purchase, payment }, (paymentId) => `${payPath}?payment=${paymentId}`)
}

/** A transfer of which nothing is in keeps nobody from paying another way. Money that comes in for it all the same is looked at. */
async function givesUpTransfer(ctx: Context, { id, provider, state }: PaymentRow): Promise<boolean> {
  if (provider !== 'transfer' || state !== 'action' || (await receivedOf(ctx, id)).amount > 0n) return false
  await updatePayment(ctx, id, { state: 'cancelled' })
  return true
}
