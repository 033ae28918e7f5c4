import type { Payment } from '@isotherm/contract/billing.ts'
import type { Price } from '../../domain/tax.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import { type AccountRow, lockAccount } from './account-queries.ts'
import { needProofToCharge } from './card-proof.ts'
import { giveUpChanges } from './change-transfers.ts'
import { openPurchase } from './open-purchase.ts'
import { openTransfer, type Waiting } from './open-transfer.ts'
import { payAfterCommit, providerOfCard } from './pay.ts'
import { type Bought, livePaymentOf, paymentOfCall, purchaseById } from './payment-queries.ts'
import { showPayment } from './show-payment.ts'

/** For so long the same order of the same person is the same payment: a double click, a second browser, a way back. */
const sameMs = 30 * 60_000

/** The account of who buys, locked. Throws BILLING_DETAILS_NEEDED. */
export async function buyerAccount(ctx: Context): Promise<AccountRow> {
  const account = await lockAccount(ctx)
  if (!account) throw new AppError('BILLING_DETAILS_NEEDED')
  return account
}

interface Shown {
  currency: string
  total: number
}

/** Throws PRICE_CHANGED where the price is not the one that was shown. */
export function refuseOtherPrice(price: Shown, shown: Shown): void {
  if (price.total !== shown.total || price.currency !== shown.currency) throw new AppError('PRICE_CHANGED')
}

const dayMs = 86_400_000

/**
 * The same call was made before with its key, and its server was cut off after the commit: what it began goes on, and is not begun twice. A page
 * that nobody got the address of is begun anew.
 */
export async function goOnPaying(ctx: Context, path: string): Promise<Payment | AfterCommit<Payment> | undefined> {
  const { callKey, person, services } = ctx
  if (!callKey) return undefined
  const since = new Date(ctx.clock.now().getTime() - dayMs)
  const payment = await paymentOfCall(ctx, { key: callKey, askedBy: person.id, since })
  const provider = payment && services.payments.named(payment.provider as 'paystack' | 'stripe')
  if (!payment || !provider || (payment.card_id === null && payment.page_url === null)) return undefined
  if (payment.page_url !== null) return showPayment(ctx, payment.id)
  const purchase = await purchaseById(ctx, payment.purchase_id)
  return payAfterCommit(ctx, provider, { purchase, payment }, (id) => `${path}?payment=${id}`)
}

export interface Order {
  bought: Bought
  price: Price & { currency: string }
  /** Null: by transfer. */
  provider: PaymentProvider | null
  /** For the trail. */
  facts: Record<string, string | number>
  /** Where the payer comes back to. */
  path: string
  /** A saved card that is charged at once. */
  cardId?: string | undefined
  /** Whether the card that pays on the page may be charged later without its payer. */
  keepCard?: boolean | undefined
  /** How long a transfer is waited for, where it is not as long as usual. */
  waiting?: Waiting | undefined
}

/**
 * Pays for an order with a saved card, or begins to: then the payer pays on the provider's page, or at their bank. The same order goes on. The
 * account is locked. Throws NOT_FOUND, CARD_UNUSABLE, PROOF_NEEDED, PAYMENT_UNDER_WAY, INVOICES_OWED, PAYMENT_DECLINED, PAYMENT_REFUSED
 * or PROVIDER_UNREACHABLE.
 */
export async function buy(ctx: Context, account: AccountRow, order: Order): Promise<Payment | AfterCommit<Payment>> {
  const { bought, price, cardId, keepCard = false, path } = order
  const { currency, total } = price
  const isCharged = order.provider !== null && cardId !== undefined
  const provider = isCharged ? await providerOfCard(ctx, cardId) : order.provider
  const payBy = provider ? 'page' : 'transfer'
  const by = { cardId: isCharged ? cardId : null, keepsCard: payBy === 'page' && !isCharged && keepCard }
  const cutOff = await goOnPaying(ctx, path)
  if (cutOff) return cutOff
  const since = new Date(ctx.clock.now().getTime() - sameMs)
  const same = await livePaymentOf(ctx, bought, { askedBy: ctx.person.id, currency, total, payBy, since, ...by })
  if (same) return showPayment(ctx, same.id)
  if (isCharged) await needProofToCharge(ctx, price)
  if (bought.subscription_id) await giveUpChanges(ctx, bought.subscription_id, ctx.clock.now())
  const opened = provider
    ? await openPurchase(ctx, provider, account, bought, price, { ...by, callKey: ctx.callKey })
    : await openTransfer(ctx, account, bought, price, order.waiting)
  ctx.audit({
    action: 'billing.purchaseBegun',
    target: { kind: 'purchase', id: opened.purchase.id, name: opened.payment.reference },
    after: { ...order.facts, amount: total, currency },
  })
  if (!provider) return showPayment(ctx, opened.payment.id)
  return payAfterCommit(ctx, provider, opened, (id) => `${path}?payment=${id}`)
}
