import { inTenant } from '../../platform/db/transaction.ts'
import { NotSent } from '../../platform/payments/not-sent.ts'
import type { Failure } from '../../platform/payments/provider.ts'
import { unseen } from '../../platform/payments/truth.ts'
import type { Services } from '../../platform/services.ts'
import { findCompany } from '../company/company.ts'
import { lockAccount } from './account-queries.ts'
import { hasEnded, moneyOf, settleBy, truthOf } from './ask-payment.ts'
import { cardById } from './card-queries.ts'
import { describePurchase } from './describe-purchase.ts'
import { isToSend, lockPayment, type PaymentRow, paymentById, purchaseById, updatePayment } from './payment-queries.ts'
import { isByItself } from './reference.ts'

/** For so long nobody else charges a reference that was sent: its provider may not know of the first charge yet. */
const inFlightMs = 600_000

/**
 * Charges a payment's saved card, and settles it by the answer. The provider is asked first, by our reference: a charge whose answer was lost
 * is not repeated. However often it is called, at once or one after the other, money moves once. Where nobody answers the payment stays as
 * it is, and the sweep calls this again. Outside of any transaction.
 */
export async function chargePayment(services: Services, companyId: number, paymentId: string): Promise<PaymentRow> {
  const payment = await inTenant(services.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, paymentId))
  if (!payment) throw new Error(`no payment ${paymentId}`)
  if (hasEnded(payment)) return payment
  return settleBy(services, companyId, payment, async () => {
    const { truth, provider, card } = await truthOf(services, payment)
    if (truth.status !== 'unknown' || !isToSend(payment, services.clock.now())) return truth
    const claimed = await claim(services, payment)
    if (claimed === 'later') return truth
    if ('refused' in claimed) return unseen(payment.reference, 'failed', claimed.refused)
    if (!card) return unseen(payment.reference, 'failed', unreadable)
    const { reference, provider_ref: providerRef } = claimed.payment
    const toCharge = { reference, providerRef, money: moneyOf(payment), description: claimed.description }
    return provider
      .charge(toCharge, card, (ref) => keepRef(services, payment, ref))
      .catch(async (error: unknown) => {
        if (error instanceof NotSent) await unclaim(services, payment)
        throw error
      })
  })
}

const unreadable: Failure = { code: 'card_unreadable', text: 'The card must be entered again.', next: 'another-card' }
const removed: Failure = { code: 'card_unusable', text: 'The card was removed, or is not usable.', next: 'payer' }
const notOwed: Failure = { code: 'not_owed', text: 'This is not owed any more.', next: 'desk' }

/** Says that the charge is sent now, for one of those who try at once. One that was never sent is refused where it must not be any more. */
const claim = (
  { pool, clock, config }: Services,
  { id, company_id: companyId }: PaymentRow,
): Promise<'later' | { refused: Failure } | { payment: PaymentRow; description: string }> =>
  inTenant(pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const now = clock.now()
    const account = await lockAccount(of)
    const payment = await lockPayment(of, id)
    const { state, sent_at: sentAt, card_id: cardId } = payment
    const isInFlight = state === 'sent' && sentAt && now.getTime() - sentAt.getTime() < inFlightMs
    if (!cardId || !isToSend(payment, now) || isInFlight) return 'later'
    // Paused after the charge was wanted, and before anybody sent it.
    const isHeld = isByItself(payment.reference) && (account?.paused_at || !config.billing.isOn)
    if (isHeld) return 'later'
    const purchase = await purchaseById(of, payment.purchase_id)
    const card = await cardById(of, cardId)
    const failure = purchase.paid_at || purchase.voided_at ? notOwed : card?.state === 'active' ? null : removed
    // Nobody knows the end of one that was sent before: it is asked for until its time is over.
    if (failure) return state === 'created' ? { refused: failure } : 'later'
    const { locale } = await findCompany(tx, companyId)
    return {
      payment: await updatePayment(of, id, { state: 'sent', sent_at: now }),
      description: describePurchase(purchase, locale),
    }
  })

/** The provider did nothing. */
const unclaim = ({ pool }: Services, { id, company_id: companyId }: PaymentRow): Promise<void> =>
  inTenant(pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const { state } = await lockPayment(of, id)
    if (state === 'sent') await updatePayment(of, id, { state: 'created', sent_at: null })
  })

const keepRef = ({ pool }: Services, { id, company_id: companyId }: PaymentRow, ref: string): Promise<void> =>
  inTenant(pool, companyId, async ({ tx }) => {
    await updatePayment({ tx, companyId }, id, { provider_ref: ref })
  })
