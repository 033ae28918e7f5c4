import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Failure, FoundCard, Truth } from '../../platform/payments/provider.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountRow, lockAccount } from './account-queries.ts'
import { cardById } from './card-queries.ts'
import { isWhole, keepCard, markUnusable } from './cards.ts'
import { giveUpChanges } from './change-transfers.ts'
import { duePeriod } from './due-period.ts'
import { grant, linesOf } from './grant.ts'
import { invoiceOfPurchase } from './invoice-queries.ts'
import { issueInvoice, serialOf } from './invoices.ts'
import { nextCheck } from './next-check.ts'
import { noteInvoiceEvent } from './note-billing-events.ts'
import {
  giveUpTopUp,
  isSettled,
  isToSend,
  lockPayment,
  markPaid,
  type PaymentRow,
  purchaseById,
  updatePayment,
} from './payment-queries.ts'
import { bankTruth } from './receipt-queries.ts'
import { unsettledPayment } from './renewal-queries.ts'
import type { Settling } from './settling.ts'
import { tellDesk } from './tell-desk.ts'
import { tellPayers } from './tell-payers.ts'

/** The author of what payments do by themselves, in the audit trail. */
export const byPayments = (now: Date) => ({
  actor: { kind: 'system' as const, name: 'payments' },
  origin: { address: '', agent: 'payments', requestId: '' },
  at: now,
})

/**
 * Brings a payment to what its provider says of it, in one transaction. Webhooks, returning payers and the sweep all end here, and nothing
 * else gives what was paid for: once, however often and in whatever order it is called.
 */
export async function settle(services: Services, companyId: number, id: string, said: Truth): Promise<PaymentRow> {
  const now = services.clock.now()
  const told: (() => void)[] = []
  const settled = await inTenant(services.pool, companyId, async (transaction) => {
    const of = { ...transaction, services, companyId, now, afterCommit: (work: () => void) => void told.push(work) }
    const account = await lockAccount(of)
    const payment = await lockPayment(of, id)
    if (!account) throw new Error('a payment without an account')
    if (isSettled(payment)) return payment
    const truth = payment.provider === 'transfer' ? await bankTruth(of, payment) : said
    const isAccepted = payment.accepted_reason !== null && truth.status === 'differs'
    if (truth.status === 'success' || isAccepted) return succeed(of, account, payment, truth)
    if (truth.status === 'differs' || truth.status === 'reversed') return review(of, payment, truth, truth.failure)
    if (truth.status === 'failed') return end(of, payment, truth.failure)
    return wait(of, payment, truth)
  })
  for (const tell of told) tell()
  if (settled.state === 'review')
    services.log.error(
      { companyId, reference: settled.reference, code: settled.failure_code },
      'a payment must be looked at: money came in, and nothing was given for it',
    )
  return settled
}

const isPaidTwice: Failure = { code: 'paid_twice', text: 'Another payment has paid this already.', next: 'desk' }
const isOtherCurrency: Failure = {
  code: 'other_currency',
  text: 'The company pays in another currency by now.',
  next: 'desk',
}
const isLate: Failure = {
  code: 'offer_over',
  text: 'It was offered at this price so long ago that the price may be another one.',
  next: 'desk',
}
/** For so long a price holds for who has its page open: some never close. Renewals and transfers have an end of their own. */
const offeredMs = 60 * 86_400_000
const isVoid: Failure = { code: 'voided', text: 'It was not owed any more.', next: 'desk' }

async function succeed(of: Settling, account: AccountRow, payment: PaymentRow, truth: Truth): Promise<PaymentRow> {
  const asked = await purchaseById(of, payment.purchase_id)
  if (asked.paid_at) return review(of, payment, truth, isPaidTwice)
  // Units that were given up and are paid late are given all the same.
  if (asked.voided_at && !asked.is_topup) return review(of, payment, truth, isVoid)
  // A page of before the first payment: what follows would be counted in two currencies.
  if (asked.currency !== account.currency) return review(of, payment, truth, isOtherCurrency)
  const isOffer = asked.period_start === null && payment.provider !== 'transfer' && payment.accepted_reason === null
  if (isOffer && of.now.getTime() - asked.created_at.getTime() > offeredMs) return review(of, payment, truth, isLate)
  const period =
    asked.purpose === 'subscription' ? await duePeriod(of, account, asked, payment.provider === 'transfer') : null
  if (period && 'code' in period) return review(of, payment, truth, period)
  const purchase = await markPaid(of, asked.id, of.now, period)
  if (purchase.subscription_id) await giveUpChanges(of, purchase.subscription_id, of.now)
  const card = await kept(of, payment, truth.card)
  const settled = await updatePayment(of, payment.id, {
    state: 'succeeded',
    card_id: card?.id ?? payment.card_id,
    provider_ref: truth.providerRef,
    settled_at: of.now,
    check_at: null,
    failure_code: null,
    failure_text: null,
    failure_next: null,
  })
  const invoice =
    (await invoiceOfPurchase(of, purchase.id)) ??
    (await issueInvoice(of, account, purchase, await linesOf(of, purchase, period), of.now))
  const serial = serialOf(invoice)
  await noteInvoiceEvent(of, 'invoice.paid', invoice, serial, of.now)
  await grant(of, purchase, serial, period, settled.card_id)
  await tellPayers(of, `paid-${invoice.id}`, {
    ...{ what: 'paid', amount: Number(purchase.total), currency: purchase.currency, serial },
  })
  // The trail's head is locked last, after wallets and licences.
  await writeAudit(of.tx, of.companyId, byPayments(of.now), [
    ...(card?.isNew ? [{ action: 'billing.cardKept', target: { kind: 'card', id: card.id, name: card.name } }] : []),
    {
      action: 'billing.paid',
      target: { kind: 'invoice', id: invoice.id, name: serial },
      after: { amount: Number(purchase.total), currency: purchase.currency, payment: payment.reference },
    },
  ])
  return settled
}

/** Money came in that nothing is given for: a person has to look at it. */
async function review(of: Settling, payment: PaymentRow, truth: Truth, failure: Failure | null): Promise<PaymentRow> {
  const code = failure?.code ?? truth.status
  const kept = await updatePayment(of, payment.id, {
    state: 'review',
    provider_ref: truth.providerRef,
    check_at: null,
    failure_code: code,
    failure_text: failure?.text ?? null,
    ...(truth.money ? { paid_amount: String(truth.money.amount), paid_currency: truth.money.currency } : {}),
  })
  await withLogin(of.tx, () =>
    of.services.enqueue(of.client, tellDesk, { companyId: of.companyId, paymentId: payment.id }),
  )
  const { purchase_id: purchaseId, reference } = payment
  await writeAudit(of.tx, of.companyId, byPayments(of.now), [
    {
      action: 'billing.underReview',
      target: { kind: 'purchase', id: (await purchaseById(of, purchaseId)).id, name: reference },
      after: { code, amount: truth.money ? Number(truth.money.amount) : null, currency: truth.money?.currency ?? null },
    },
  ])
  return kept
}

/** Keeps the card that paid, where the payer wants that and it may be charged again. A card that was removed stays so. */
async function kept(of: Settling, payment: PaymentRow, found: FoundCard | null) {
  if (!found || !isWhole(found)) return null
  const charged = payment.card_id ? await cardById(of, payment.card_id) : undefined
  if (charged ? charged.state === 'removed' : !payment.keeps_card) return null
  const { id, brand, last4 } = await keepCard({ ...of, secret: of.services.secret }, payment.provider, found)
  return { id, name: `${brand} ${last4}`, isNew: !charged }
}

/** Nothing was paid, and nothing will be by this reference. A card that will never work is charged no more. */
async function end(of: Settling, { id, card_id }: PaymentRow, failure: Failure | null): Promise<PaymentRow> {
  const ended = await updatePayment(of, id, {
    state: 'failed',
    check_at: null,
    failure_code: failure?.code ?? 'failed',
    failure_text: failure?.text ?? null,
    failure_next: failure?.next ?? null,
  })
  if (card_id && failure?.next === 'another-card') await markUnusable(of, card_id, failure.text)
  await endTopUp(of, ended)
  return ended
}

/** Units that were to be bought by themselves and are not: the Admins are told. It begins anew a day later at the earliest. */
async function endTopUp(of: Settling, { id, purchase_id, card_id, failure_text: reason }: PaymentRow): Promise<void> {
  const givenUp = await giveUpTopUp(of, purchase_id, of.now)
  if (!givenUp) return
  const card = card_id ? await cardById(of, card_id) : undefined
  const [amount, name] = [Number(givenUp.total), card ? `${card.brand} ${card.last4}` : '']
  await tellPayers(of, `topup-${id}`, { what: 'topUpFailed', amount, currency: givenUp.currency, card: name, reason })
  await writeAudit(of.tx, of.companyId, byPayments(of.now), [
    { action: 'wallet.topUpFailed', target: { kind: 'card', id: card_id ?? '', name }, after: { reason, amount } },
  ])
}

/** It is not over: a page that nobody can reach, or that has closed, is given up, and still asked for now and then. */
async function wait(of: Settling, payment: PaymentRow, truth: Truth): Promise<PaymentRow> {
  const checkAt = nextCheck(payment.created_at, of.now)
  if (payment.provider === 'transfer') return updatePayment(of, payment.id, { check_at: null })
  // One that failed begins no second time. Only what the bank is at may still come in.
  if (payment.state === 'failed')
    return updatePayment(of, payment.id, { check_at: truth.status === 'pending' ? checkAt : null })
  if (truth.status === 'unknown' && isToSend(payment, of.now))
    return updatePayment(of, payment.id, { check_at: checkAt ?? payment.closes_at })
  // Given up, and somebody is at another one of the same purchase.
  const other = payment.state === 'cancelled' ? await unsettledPayment(of, payment.purchase_id) : undefined
  if (other) return updatePayment(of, payment.id, { check_at: checkAt })
  const url = truth.url ?? payment.page_url
  const mayPay = truth.status === 'pending' || (url !== null && of.now < payment.closes_at)
  const waiting = await updatePayment(of, payment.id, {
    state: mayPay && checkAt ? (truth.status === 'pending' ? 'pending' : 'action') : 'cancelled',
    page_url: url,
    provider_ref: truth.providerRef ?? payment.provider_ref,
    check_at: checkAt,
  })
  if (waiting.state === 'cancelled') await endTopUp(of, waiting)
  return waiting
}
