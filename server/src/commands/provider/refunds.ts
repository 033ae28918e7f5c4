import { type Crediting, deskOf, leftOf } from '../../core/billing/credit-notes.ts'
import { invoiceOfPurchase } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import { type PaymentRow, updatePayment } from '../../core/billing/payment-queries.ts'
import { leftOfPayment, openRefund, type Refunded } from '../../core/billing/refund.ts'
import { majorText } from '../../domain/money.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { atCompany, namedPayment } from './at-company.ts'
import type { ProviderTools } from './provider-tools.ts'
import { amount, line, oneOf } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface RefundOptions {
  company?: string | undefined
  payment?: string | undefined
  amount?: string | undefined
  reason?: string | undefined
  'by-hand': boolean
}

function amountFrom(text: string | undefined, currency: string): bigint {
  const sum = amount(text, currency)
  if (sum === 0) throw new UsageError('--amount must be more than 0')
  return BigInt(sum)
}

const isTransfer = ({ provider }: PaymentRow) => provider === 'transfer'

/** Gives back a payment, or a part of it: a credit note first, then the server has the payment provider move the money. */
export async function refundPayment(tools: ProviderTools, options: RefundOptions): Promise<void> {
  const lines = await atCompany(tools, options.company, async (of) => {
    const payment = await namedPayment(of, options.payment)
    const reason = line('reason', options.reason)
    if (payment.state === 'review') throw new UsageError('It is under review: payments resolve refund')
    const invoice = payment.state === 'succeeded' ? await invoiceOfPurchase(of, payment.purchase_id) : undefined
    if (!invoice) throw new UsageError('Nothing was paid by it.')
    const sum = amountFrom(options.amount, payment.currency)
    const left = await leftOf(of, invoice)
    if (sum > left) throw new UsageError(`No more than ${majorText(Number(left), payment.currency)} are left of it.`)
    const isByHand = options['by-hand'] || isTransfer(payment)
    return told(payment, await openRefund(of, payment, invoice, { amount: sum, reason, isByHand }))
  })
  for (const text of lines) tools.out(text)
}

function told({ provider }: PaymentRow, { refund, note, units, endsPlan }: Refunded): string[] {
  const money = `${majorText(Number(refund.amount), refund.currency)} ${refund.currency}`
  return [
    ...(note ? [`Credit note ${serialOf(note)}`] : []),
    ...(units.wanted > 0 ? [`${units.taken} of ${units.wanted} units were left, and are taken back`] : []),
    ...(endsPlan ? ['The plan ends within a minute, if this paid its running period and BILLING is on'] : []),
    refund.state === 'by_hand'
      ? `Pay ${money} back yourself, if you have not: no provider is asked`
      : `The server has ${provider} give back ${money} within a minute, and tells you if that fails`,
  ]
}

const decisions = ['give', 'refund', 'close'] as const
/** Such money is for something that was given, taken back, or not asked for: there is nothing to give for it. */
const NOTHING_TO_GIVE = [
  'paid_twice',
  'voided',
  'reversed',
  'plan_cancelled',
  'period_over',
  'quote_over',
  'quote_refunded',
  'other_currency',
]

/** Decides on money that did not fit: what was bought is given all the same, the money is given back, or nothing is done. */
export async function resolvePayment(
  tools: ProviderTools,
  decision: string | undefined,
  options: RefundOptions,
): Promise<void> {
  const choice = oneOf('resolve', decision, decisions)
  const lines = await atCompany(tools, options.company, async (of) => {
    const payment = await namedPayment(of, options.payment)
    if (payment.state !== 'review') throw new UsageError('It is not under review.')
    const reason = line('reason', options.reason)
    const lines = await decide(of, payment, choice, { ...options, reason })
    await writeAudit(of.tx, of.companyId, deskOf(of), [
      {
        action: 'billing.resolved',
        target: { kind: 'purchase', id: payment.purchase_id, name: payment.reference },
        after: { decision: choice, reason, by: of.by },
      },
    ])
    return lines
  })
  for (const text of lines) tools.out(text)
}

async function decide(
  of: Crediting,
  payment: PaymentRow,
  choice: (typeof decisions)[number],
  { reason, ...options }: RefundOptions & { reason: string },
): Promise<string[]> {
  if (choice === 'give') {
    if (NOTHING_TO_GIVE.includes(payment.failure_code ?? ''))
      throw new UsageError('There is nothing to give for it: refund it, or close it.')
    await updatePayment(of, payment.id, { state: 'pending', accepted_reason: reason, check_at: of.now })
    return ['The server gives what was bought, and issues the invoice, within a minute']
  }
  await updatePayment(of, payment.id, { state: 'closed' })
  if (choice === 'close') return ['Nothing is given for it, and nothing is given back']
  const { left, currency } = await leftOfPayment(of, payment)
  const sum = amountFrom(options.amount, currency)
  if (sum > left)
    throw new UsageError(
      `No more than ${majorText(Number(left), currency)} ${currency} came in, and is not given back.`,
    )
  const isByHand = options['by-hand'] || isTransfer(payment)
  return told(payment, await openRefund(of, payment, null, { amount: sum, currency, reason, isByHand }))
}
