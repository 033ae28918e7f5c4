import type { Payment } from '@isotherm/contract/billing.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import { lockAccount } from './account-queries.ts'
import { beginPayment, type PageText } from './begin-payment.ts'
import { cardById } from './card-queries.ts'
import { hasExpired } from './cards.ts'
import { chargePayment } from './charge-payment.ts'
import { describePurchase } from './describe-purchase.ts'
import { openPayment } from './open-purchase.ts'
import { type PaymentRow, type PurchaseRow, purchaseById } from './payment-queries.ts'
import { unsettledPayment } from './renewal-queries.ts'
import { readPayment } from './show-payment.ts'

/** The provider of a saved card that a person wants to pay with. Throws NOT_FOUND or CARD_UNUSABLE. */
export async function providerOfCard(ctx: Context, id: string): Promise<PaymentProvider> {
  const found = await cardById(ctx, id)
  const card = orNotFound(found?.state === 'removed' ? undefined : found)
  const provider = ctx.services.payments.named(card.provider as 'paystack' | 'stripe')
  if (card.state !== 'active' || !provider || hasExpired(card, ctx.clock.now())) throw new AppError('CARD_UNUSABLE')
  return provider
}

/**
 * Has a payment paid that the call's transaction keeps: its saved card is charged, or else the provider makes a page. `pathOf` is the screen that the
 * payer comes back to. Refuses by PAYMENT_DECLINED, PAYMENT_REFUSED or PROVIDER_UNREACHABLE.
 */
export function payAfterCommit(
  { services, clock, companyId, locale, person }: Context,
  provider: PaymentProvider,
  { purchase, payment }: { purchase: PurchaseRow; payment: PaymentRow },
  pathOf: (paymentId: string) => string,
): AfterCommit<Payment> {
  const page = async (row: PaymentRow): Promise<Payment> => {
    const text: PageText = {
      email: person.email,
      description: describePurchase(purchase, locale),
      returnUrl: `${services.config.publicUrl}${pathOf(row.id)}`,
      locale,
    }
    const { state } = await beginPayment(services, provider, companyId, row, text)
    if (state === 'failed') throw new AppError('PAYMENT_REFUSED')
    if (state === 'cancelled') throw new AppError('PROVIDER_UNREACHABLE', {}, 30)
    return readPayment(services, companyId, row.id, locale)
  }
  return new AfterCommit(async () => {
    if (!payment.card_id) return page(payment)
    const charged = await chargePayment(services, companyId, payment.id)
    if (charged.state !== 'failed') return readPayment(services, companyId, payment.id, locale)
    if (charged.failure_next === 'payer') {
      const another = await openAnother({ services, clock, companyId, person }, provider, purchase.id)
      return another.isNew ? page(another.payment) : readPayment(services, companyId, another.payment.id, locale)
    }
    if (charged.failure_next === 'desk') throw new AppError('PAYMENT_REFUSED')
    throw new AppError('PAYMENT_DECLINED', { reason: reasonOf(charged, locale) })
  })
}

/** The bank wants the payer: another payment of the same purchase, on a page, or the one that somebody is at already. */
const openAnother = (
  { services, clock, person, companyId }: Pick<Context, 'services' | 'clock' | 'person' | 'companyId'>,
  provider: PaymentProvider,
  purchaseId: string,
): Promise<{ payment: PaymentRow; isNew: boolean }> =>
  inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId, services, clock, person }
    await lockAccount(of)
    const purchase = await purchaseById(of, purchaseId)
    if (purchase.paid_at || purchase.voided_at) throw new AppError('NOTHING_OWED')
    const known = await unsettledPayment(of, purchaseId)
    return { payment: known ?? (await openPayment(of, provider, purchase, {})), isNew: !known }
  })

const KINDS: [RegExp, string][] = [
  [/insufficient/, 'funds'],
  [/expired/, 'expired'],
]

/** Why a card was declined, as a part of a sentence. */
function reasonOf(
  { failure_code: code, failure_text: text, failure_next: next }: PaymentRow,
  locale: Context['locale'],
) {
  const known = KINDS.find(([pattern]) => pattern.test(code ?? ''))?.[1]
  const kind = known ?? (next === 'another-card' ? 'card' : next === 'after-a-day' ? 'day' : 'other')
  return translate(locale, `errors:declines.${kind}`, { text: text ?? code })
}
