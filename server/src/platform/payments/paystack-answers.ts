import { z } from 'zod'
import { moneyOf } from './money.ts'
import type { Failure, FoundCard, ListedDispute, NextStep, RefundTruth, Truth } from './provider.ts'
import { unseen } from './truth.ts'

const id = z.union([z.number().int(), z.string().min(1)]).transform(String)
const text = z.string().nullish()

const Authorization = z.object({
  authorization_code: z.string(),
  reusable: z.boolean(),
  signature: z.string(),
  last4: z.string(),
  exp_month: z.coerce.number().int(),
  exp_year: z.coerce.number().int(),
  card_type: text,
  brand: text,
  bank: text,
})

const Transaction = z.object({
  id,
  domain: z.string(),
  status: z.string(),
  reference: z.string(),
  amount: z.unknown(),
  currency: z.unknown(),
  gateway_response: text,
  // Without a card it is null, or an object without a code.
  authorization: z.union([Authorization, z.unknown().transform(() => null)]),
  customer: z.object({ email: z.string() }).nullish(),
})

const Paused = z.object({ paused: z.literal(true), authorization_url: z.string(), reference: z.string() })

const Refund = z.object({ id, status: z.string(), amount: z.unknown(), currency: z.unknown(), merchant_note: text })

/** Reads a part of an answer by its schema; what does not fit is unreadable. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value)
  if (error) throw new Error(`Paystack's answer is unreadable at ${error.issues[0]?.path.join('.')}`)
  return data
}

const STATUS: Record<string, Truth['status']> = {
  success: 'success',
  failed: 'failed',
  abandoned: 'action',
  ongoing: 'pending',
  pending: 'pending',
  processing: 'pending',
  queued: 'pending',
  reversed: 'reversed',
  'reversal-pending': 'reversed',
}

/** A transaction as verify, list and the charge of a card describe it, and whether real money moved. */
export function transactionOf(value: unknown) {
  const { id: providerRef, domain, status: word, reference, ...data } = readAs(Transaction, value)
  const status = STATUS[word]
  if (!status) throw new Error(`Paystack has a status that we do not know: ${word.slice(0, 40)}`)
  const card = data.authorization
  const email = data.customer?.email
  const money = moneyOf(data.amount, data.currency)
  const truth: Truth = {
    ...unseen(reference, status, status === 'failed' ? failureOf(data.gateway_response ?? 'failed') : null),
    money,
    providerRef,
    card: status === 'success' && card?.reusable && email ? cardOf(card, email) : null,
  }
  return { truth, paid: { reference, money, providerRef }, isLive: domain === 'live' }
}

const cardOf = (card: z.infer<typeof Authorization>, email: string): FoundCard => ({
  token: card.authorization_code,
  email,
  customer: null,
  fingerprint: card.signature,
  // Paystack's `card_type` ends with a space.
  brand: (card.brand || card.card_type || 'card').trim(),
  last4: card.last4,
  expMonth: card.exp_month,
  expYear: card.exp_year,
  bank: card.bank?.trim() || null,
})

/** The charge of a saved card where the payer has to confirm it at an address; null: it is an ordinary transaction. */
export function pausedOf(value: unknown): Truth | null {
  const { data: paused } = Paused.safeParse(value)
  return paused ? { ...unseen(paused.reference, 'action'), url: paused.authorization_url } : null
}

const NEXT: [RegExp, NextStep][] = [
  [/authorization code is invalid|does not match authorization|expired|stolen|lost card|pick.?up/i, 'another-card'],
  [/cannot be fulfilled until/i, 'after-a-day'],
]

/** A decline of the bank in Paystack's words. */
export const failureOf = (words: string, otherwise: NextStep = 'retry', code?: string): Failure => ({
  code: code ?? words.toLowerCase().replace(/\W+/g, '_').slice(0, 60),
  text: words,
  next: NEXT.find(([pattern]) => pattern.test(words))?.[1] ?? otherwise,
})

const Dispute = z.object({
  id,
  domain: z.string(),
  status: z.string(),
  resolution: text,
  refund_amount: z.number().int().nullish(),
  currency: text,
  transaction: z.object({ id, reference: text }),
})

/** A dispute, and whether it is about real money. Accepted by us, or by Paystack in our place, it is lost; declined it is won. */
export function disputeTruthOf(value: unknown): { truth: ListedDispute; isLive: boolean } {
  const { id: disputeRef, domain, status, resolution, transaction, ...found } = readAs(Dispute, value)
  const { refund_amount: amount, currency } = found
  const ended = resolution === 'declined' ? 'won' : 'lost'
  const truth: ListedDispute = {
    disputeRef,
    status: status === 'resolved' ? ended : 'open',
    reference: transaction.reference ?? null,
    providerRef: transaction.id,
    money: amount && currency ? moneyOf(amount, currency) : null,
  }
  return { truth, isLive: domain === 'live' }
}

const REFUND_STATUS: Record<string, RefundTruth['status']> = {
  pending: 'pending',
  processing: 'pending',
  retrying: 'pending',
  processed: 'success',
  failed: 'failed',
  'needs-attention': 'attention',
}

export function refundTruthOf(value: unknown): RefundTruth & { note: string } {
  const { id: refundRef, status: word, amount, currency, merchant_note: note } = readAs(Refund, value)
  const status = REFUND_STATUS[word]
  if (!status) throw new Error(`Paystack has a status of refunds that we do not know: ${word.slice(0, 40)}`)
  const failure = status === 'failed' ? failureOf('refund failed', 'desk') : null
  return { status, refundRef, money: moneyOf(amount, currency), failure, note: note ?? '' }
}
