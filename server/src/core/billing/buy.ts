import type { Payment } from '@isotherm/contract/billing.ts'
import type { Price } from '../../domain/tax.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import { type AccountRow, lockAccount } from './account-queries.ts'
import { beginPayment } from './begin-payment.ts'
import { openPurchase } from './open-purchase.ts'
import { openTransfer } from './open-transfer.ts'
import { type Bought, livePaymentOf } from './payment-queries.ts'
import { readPayment, showPayment } from './show-payment.ts'

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

export interface Order {
  bought: Bought
  price: Price & { currency: string }
  /** Null: by transfer. */
  provider: PaymentProvider | null
  /** For the trail. */
  facts: Record<string, string | number>
  /** For the provider's page. */
  description: string
  /** Where the payer comes back to. */
  path: string
}

/**
 * Begins to pay for an order, or goes on with the same one. Nothing is charged: the payer does that on the provider's page, or at their bank.
 * The account is locked. Throws PAYMENT_UNDER_WAY, INVOICES_OWED, PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export async function buy(ctx: Context, account: AccountRow, order: Order): Promise<Payment | AfterCommit<Payment>> {
  const { bought, price, provider } = order
  const { currency, total } = price
  const payBy = provider ? 'page' : 'transfer'
  const since = new Date(ctx.clock.now().getTime() - sameMs)
  const same = await livePaymentOf(ctx, bought, { askedBy: ctx.person.id, currency, total, payBy, since })
  if (same) return showPayment(ctx, same.id)
  const { purchase, payment } = provider
    ? await openPurchase(ctx, provider, account, bought, price)
    : await openTransfer(ctx, account, bought, price)
  ctx.audit({
    action: 'billing.purchaseBegun',
    target: { kind: 'purchase', id: purchase.id, name: payment.reference },
    after: { ...order.facts, amount: total, currency },
  })
  if (!provider) return showPayment(ctx, payment.id)
  const { services, companyId } = ctx
  const text = {
    email: ctx.person.email,
    description: order.description,
    returnUrl: `${services.config.publicUrl}${order.path}?payment=${payment.id}`,
    locale: ctx.locale,
  }
  return new AfterCommit(async () => {
    const { state } = await beginPayment(services, provider, companyId, payment, text)
    if (state === 'failed') throw new AppError('PAYMENT_REFUSED')
    if (state === 'cancelled') throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
    return readPayment(services, companyId, payment.id)
  })
}
