import type Stripe from 'stripe'
import { moneyOf } from './money.ts'
import type { DisputeTruth, Failure, FoundCard, NextStep, Paid, ProviderEvent, RefundTruth, Truth } from './provider.ts'
import { unseen } from './truth.ts'

/** An object inside another one, where it was asked for, or only its id. */
type Inner<T> = string | T | null | undefined

export const idOf = (inner: Inner<{ id: string }>): string | null =>
  typeof inner === 'string' ? inner : (inner?.id ?? null)

const STATUS: Record<string, Truth['status']> = {
  succeeded: 'success',
  processing: 'pending',
  requires_capture: 'pending',
  requires_action: 'action',
  canceled: 'failed',
}

type Decline = { code?: string; decline_code?: string; advice_code?: string; message?: string; param?: string }

const DEAD_CARD = /^(expired_card|lost_card|stolen_card|pickup_card|invalid_account|incorrect_number)$/

/** Ids of cards and payers, which sentences of Stripe name: they are kept sealed, and people read these sentences. */
const ids = /'?\b(?:pm|card|cus|src|tok|pi|seti|ch)_[A-Za-z0-9]{8,}'?/g

/** A decline, as an error of the SDK or a payment intent's last error has it. */
export function failureOf(
  { code, decline_code, advice_code, message, param }: Decline,
  otherwise: NextStep = 'retry',
): Failure {
  const reason = decline_code ?? code ?? 'declined'
  return {
    code: reason,
    text: message?.replace(ids, '…') ?? reason,
    next: nextOf(reason, advice_code, param) ?? otherwise,
  }
}

function nextOf(reason: string, advice?: string, param?: string): NextStep | null {
  if (reason === 'authentication_required' || reason === 'abandoned') return 'payer'
  if (param === 'payment_method' || DEAD_CARD.test(reason)) return 'another-card'
  if (advice === 'do_not_try_again' || advice === 'confirm_card_data') return 'another-card'
  return advice === 'try_again_later' ? 'retry' : null
}

/**
 * A payment intent that was made to charge a saved card, or was paid on a page. Only we can confirm it: one that failed stays so, and one that
 * was never confirmed is unknown to every bank.
 */
export function intentTruth(intent: Stripe.PaymentIntent, reference: string): Truth {
  const failed = intent.last_payment_error
  const status = STATUS[intent.status] ?? (failed ? 'failed' : 'unknown')
  const isPaid = status === 'success'
  const failure = status === 'failed' ? failureOf(failed ?? { code: intent.cancellation_reason ?? 'canceled' }) : null
  const mayBeKept = isPaid && intent.setup_future_usage === 'off_session'
  return {
    ...unseen(reference, status, failure),
    money: moneyOf(isPaid ? intent.amount_received : intent.amount, intent.currency),
    providerRef: intent.id,
    card: mayBeKept ? cardOf(intent.payment_method, idOf(intent.customer)) : null,
  }
}

/** A payment that succeeded; null: it did not, or is none of an Isotherm's. */
export function paidOf({ id, status, amount_received, currency, metadata }: Stripe.PaymentIntent): Paid | null {
  const { reference } = metadata
  if (status !== 'succeeded' || !reference) return null
  return { reference, money: moneyOf(amount_received, currency), providerRef: id }
}

/** A page of Stripe, with its payment intent inside. */
export function sessionTruth(session: Stripe.Checkout.Session, reference: string): Truth {
  const intent = session.payment_intent
  if (session.status === 'complete' && intent && typeof intent === 'object') {
    const truth = intentTruth(intent, reference)
    return truth.status === 'unknown' ? { ...truth, status: 'pending' } : truth
  }
  const money = moneyOf(session.amount_total, session.currency)
  if (session.status === 'expired')
    return { ...unseen(reference, 'failed', { code: 'expired', text: 'The page was closed.', next: 'payer' }), money }
  const status = session.status === 'complete' ? 'pending' : 'action'
  return { ...unseen(reference, status), money, providerRef: idOf(intent), url: session.url }
}

/** A card that may be charged again, where Stripe sent it whole. */
export function cardOf(method: Inner<Stripe.PaymentMethod>, customer: string | null): FoundCard | null {
  if (!method || typeof method === 'string' || !method.card || !customer) return null
  return {
    token: method.id,
    email: method.billing_details.email ?? '',
    customer,
    fingerprint: method.card.fingerprint ?? method.id,
    brand: method.card.brand,
    last4: method.card.last4,
    expMonth: method.card.exp_month,
    expYear: method.card.exp_year,
    bank: null,
  }
}

const REFUND_STATUS: Record<string, RefundTruth['status']> = {
  pending: 'pending',
  requires_action: 'attention',
  succeeded: 'success',
  failed: 'failed',
  canceled: 'failed',
}

export function refundTruth(refund: Stripe.Refund): RefundTruth {
  const status = REFUND_STATUS[refund.status ?? 'pending'] ?? 'pending'
  const code = refund.failure_reason ?? 'failed'
  const failure: Failure | null = status === 'failed' ? { code, text: code, next: 'desk' } : null
  return { status, refundRef: refund.id, money: moneyOf(refund.amount, refund.currency), failure }
}

/** The kinds of Stripe's objects that events are about. */
const ABOUT = {
  'checkout.session': 'payment',
  payment_intent: 'payment',
  refund: 'refund',
  dispute: 'dispute',
  payment_method: 'card',
} as const

/** The event's kind, our reference and the id; of a page where a card is kept, the kind is card. */
export function readEvent({ id: key, type: name, data }: Stripe.Event): ProviderEvent {
  const object = data.object as unknown as Record<string, unknown>
  const metadata = (object.metadata ?? {}) as Record<string, unknown>
  const isPage = object.object === 'checkout.session'
  const kind = ABOUT[String(object.object) as keyof typeof ABOUT] ?? 'other'
  const about = isPage && object.mode === 'setup' ? 'card' : kind
  // A page is about a payment that has an id of its own.
  const isOfPayment = isPage && about === 'payment'
  return {
    key,
    name,
    about,
    reference: textOf(object.client_reference_id ?? metadata.reference),
    providerRef: textOf(isOfPayment ? object.payment_intent : object.id),
    paymentRef: about === 'refund' ? textOf(object.payment_intent) : null,
  }
}

/** Stripe's word on a dispute. A warning that was closed took no money, as a dispute that was prevented. */
export function disputeTruth({ status, payment_intent: intent, amount, currency }: Stripe.Dispute): DisputeTruth {
  const isWon = status === 'won' || status === 'warning_closed' || status === 'prevented'
  return {
    status: status === 'lost' ? 'lost' : isWon ? 'won' : 'open',
    reference: null,
    providerRef: idOf(intent),
    money: moneyOf(amount, currency),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
