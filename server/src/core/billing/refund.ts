import { type Crediting, issueCreditNote, noteCredit, takeBack } from './credit-notes.ts'
import { disputesOf } from './dispute-queries.ts'
import { creditedOf, type InvoiceRow } from './invoice-queries.ts'
import { type PaymentRow, purchaseById } from './payment-queries.ts'
import { receivedOf } from './receipt-queries.ts'
import { insertRefund, type RefundRow, refundedOf } from './refund-queries.ts'
import { lookAtSubscription } from './subscription-queries.ts'

export interface Refunded {
  refund: RefundRow
  note: InvoiceRow | null
  /** Units that the refund is for, and those that could be taken out of the wallet. */
  units: { wanted: number; taken: number }
  /** Whether the plan whose period it paid ends, if that is the running one. */
  endsPlan: boolean
}

interface ToRefund {
  amount: bigint
  /** That of the payment, unless the money came in another one. */
  currency?: string
  reason: string
  /** The operator gives it back elsewhere, or has done so. */
  isByHand: boolean
}

/** Money that came in and did not fit, less what was given back of it: in its own currency, in minor units. */
export async function leftOfPayment(of: Crediting, payment: PaymentRow): Promise<{ left: bigint; currency: string }> {
  const { id, provider, failure_code: code, dispute } = payment
  const currency = payment.paid_currency ?? payment.currency
  // It was given back before anybody looked at it, or the payer's bank has taken it.
  const isLost = dispute === 'lost' || (await disputesOf(of, id)).some(({ state }) => state === 'lost')
  if (code === 'reversed' || isLost) return { left: 0n, currency }
  const paid =
    provider === 'transfer' ? (await receivedOf(of, id)).amount : BigInt(payment.paid_amount ?? payment.amount)
  return { left: paid - (await refundedOf(of, id)), currency }
}

/**
 * Takes back a part of an invoice, with the units that are left of it, and with all of it the plan, and keeps that its money is to be given back. A job has the
 * provider do that once this is committed. Without an invoice only the money is given back. The payment is locked.
 */
export async function openRefund(
  of: Crediting,
  payment: PaymentRow,
  invoice: InvoiceRow | null,
  { amount, currency = payment.currency, reason, isByHand }: ToRefund,
): Promise<Refunded> {
  const { now } = of
  const before = invoice ? await creditedOf(of, invoice.id) : 0n
  const note = invoice && (await issueCreditNote(of, invoice, amount, reason))
  const refund = await insertRefund(of, {
    ...{ payment_id: payment.id, credit_note_id: note?.id ?? null, currency, amount: String(amount) },
    ...{ reason, asked_by: of.by, created_at: now },
    ...(isByHand ? { state: 'by_hand', ended_at: now } : { state: 'created', check_at: now }),
  })
  const purchase = await purchaseById(of, payment.purchase_id)
  const isAll = invoice !== null && before + amount === BigInt(invoice.total)
  // The job of renewals sees that its running period was given back, and ends it.
  if (isAll && purchase.subscription_id) await lookAtSubscription(of, purchase.subscription_id, now)
  const units = note ? await takeBack(of, purchase, note, before) : { wanted: 0, taken: 0 }
  if (invoice && note) await noteCredit(of, invoice, note)
  return { refund, note, units, endsPlan: isAll && purchase.subscription_id !== null }
}
