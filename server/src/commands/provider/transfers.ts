import { type Crediting, deskOf, leftOf } from '../../core/billing/credit-notes.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import {
  cancelLive,
  lockPayment,
  type PaymentRow,
  transferOf,
  updatePayment,
} from '../../core/billing/payment-queries.ts'
import { insertReceipt, receivedOf } from '../../core/billing/receipt-queries.ts'
import { voidInvoice } from '../../core/billing/void-invoice.ts'
import { majorText } from '../../domain/money.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { atCompany, namedInvoice, namedPayment } from './at-company.ts'
import type { ProviderTools } from './provider-tools.ts'
import { amount, line } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface TransferOptions {
  company?: string | undefined
  invoice?: string | undefined
  payment?: string | undefined
  amount?: string | undefined
  withheld?: string | undefined
  certificate?: string | undefined
  reference?: string | undefined
  reason?: string | undefined
}

export interface Received {
  amount: number
  withheld: number
  certificate: string | null
  bankReference: string
  /** Tells it from everything else that came in. */
  key: string
}

/** Keeps money that came in for a transfer, and has the server settle it. Null where it was kept before; else what is still missing. */
export async function receive(of: Crediting, payment: PaymentRow, received: Received): Promise<number | null> {
  const { amount: sum, withheld, certificate, bankReference, key } = received
  const kept = await insertReceipt(of, {
    ...{ payment_id: payment.id, amount: String(sum), withheld: String(withheld), certificate, line_key: key },
    ...{ bank_reference: bankReference, recorded_by: of.by, recorded_at: of.now },
  })
  if (!kept) return null
  await updatePayment(of, payment.id, { check_at: of.now })
  await writeAudit(of.tx, of.companyId, deskOf(of), [
    {
      action: 'billing.transferRecorded',
      target: { kind: 'purchase', id: payment.purchase_id, name: payment.reference },
      after: { amount: sum, withheld, currency: payment.currency, reference: bankReference, by: of.by },
    },
  ])
  const all = await receivedOf(of, payment.id)
  return Number(BigInt(payment.amount) - all.amount - all.withheld)
}

/** Says how much of a transfer is missing. */
export function outcome(missing: number, currency: string): string {
  const money = `${majorText(Math.abs(missing), currency)} ${currency}`
  if (missing > 0) return `${money} are missing`
  const settled = 'paid in full: the server gives what was bought within a minute'
  return missing === 0 ? settled : `${settled}; ${money} are too much: pay them back`
}

/** Records money that the operator saw at the bank, for an invoice that is owed, or for a plan, which has none yet. */
export async function recordTransfer(tools: ProviderTools, options: TransferOptions): Promise<void> {
  const said = await atCompany(tools, options.company, async (of) => {
    const { payment, name } = await awaitedOf(of, options)
    const sum = amount(options.amount, payment.currency)
    if (sum === 0) throw new UsageError('--amount must be more than 0')
    const withheld = options.withheld === undefined ? 0 : amount(options.withheld, payment.currency, 'withheld')
    const certificate = withheld > 0 ? line('certificate', options.certificate) : null
    const bankReference = line('reference', options.reference)
    const received = { amount: sum, withheld, certificate, bankReference, key: `record:${bankReference}` }
    const missing = await receive(of, payment, received)
    if (missing === null) throw new UsageError(`${bankReference} was recorded before: nothing was changed.`)
    return `${name}: ${outcome(missing, payment.currency)}`
  })
  tools.out(said)
}

/** The transfer that an invoice, or its own reference, names. What comes late for a plan is kept, too: the server says what becomes of it. */
async function awaitedOf(of: Crediting, { invoice, payment: reference }: TransferOptions) {
  if (reference === undefined) {
    const named = await namedInvoice(of, invoice)
    const name = serialOf(named)
    return { payment: await owedTransfer(of, named.purchase_id, name), name }
  }
  const payment = await namedPayment(of, reference)
  const isAwaited = payment.state === 'action' || (payment.state === 'cancelled' && payment.transfer !== null)
  if (payment.provider !== 'transfer' || !isAwaited)
    throw new UsageError(`${payment.reference} is not waiting for a transfer: it is paid, void, or paid another way.`)
  return { payment, name: payment.reference }
}

async function owedTransfer(of: Crediting, purchaseId: string, serial: string): Promise<PaymentRow> {
  const payment = await transferOf(of, purchaseId)
  if (!payment) throw new UsageError(`${serial} is not waiting for a transfer: it is paid, void, or paid another way.`)
  return lockPayment(of, payment.id)
}

/** Takes back an invoice that is owed, by a credit note; or the order of a plan, which has no invoice. */
export async function voidTransfer(tools: ProviderTools, options: TransferOptions): Promise<void> {
  const said = await atCompany(tools, options.company, async (of) => {
    if (options.payment !== undefined) return voidPeriod(of, options)
    const invoice = await namedInvoice(of, options.invoice)
    const payment = await owedTransfer(of, invoice.purchase_id, serialOf(invoice))
    const reason = line('reason', options.reason)
    const { amount: paid, withheld } = await receivedOf(of, payment.id)
    if (paid + withheld >= (await leftOf(of, invoice))) throw new UsageError(`${serialOf(invoice)} is paid by now.`)
    const note = await voidInvoice(of, invoice, reason)
    const back = `${majorText(Number(paid), payment.currency)} ${payment.currency}`
    return `${serialOf(invoice)} is void by ${serialOf(note)}${paid > 0n ? `; pay back ${back}, which came in for it` : ''}`
  })
  tools.out(said)
}

async function voidPeriod(of: Crediting, options: TransferOptions): Promise<string> {
  const { payment, name } = await awaitedOf(of, options)
  const reason = line('reason', options.reason)
  const { amount: paid } = await receivedOf(of, payment.id)
  await cancelLive(of, payment.purchase_id)
  await writeAudit(of.tx, of.companyId, deskOf(of), [
    {
      action: 'billing.transferGivenUp',
      target: { kind: 'purchase', id: payment.purchase_id, name },
      after: { reason, by: of.by },
    },
  ])
  const back = `${majorText(Number(paid), payment.currency)} ${payment.currency}`
  return `${name} is not waited for any more${paid > 0n ? `; pay back ${back}, which came in for it` : ''}`
}
