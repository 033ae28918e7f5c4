import { findAccount, lockAccount } from '../../core/billing/account-queries.ts'
import type { Crediting } from '../../core/billing/credit-notes.ts'
import { type InvoiceRow, invoiceBySerial } from '../../core/billing/invoice-queries.ts'
import { lockPayment, type PaymentRow, paymentByReference } from '../../core/billing/payment-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { operator } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { line, whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

/** Works on the money of one company, with its account locked, in one transaction. */
export async function atCompany<T>(
  { pool, now = () => new Date() }: ProviderTools,
  company: string | undefined,
  work: (of: Crediting) => Promise<T>,
): Promise<T> {
  const companyId = whole('company', company, 2_147_483_647)
  return inTenant(pool, companyId, async ({ tx, client }) => {
    if (!(await findAccount({ tx, companyId }))) throw new UsageError(`Company ${companyId} has bought nothing yet.`)
    const account = await lockAccount({ tx, companyId })
    if (!account) throw new Error('the account is gone')
    return work({ tx, client, companyId, account, now: now(), by: operator() })
  })
}

/** The payment of a company that its reference names, locked. */
export async function namedPayment(of: Crediting, reference: string | undefined): Promise<PaymentRow> {
  const payment = await paymentByReference(of, line('payment', reference))
  if (!payment) throw new UsageError(`Company ${of.companyId} has no such payment. The references: payments list`)
  return lockPayment(of, payment.id)
}

/** The invoice of a company that its number names, such as INV-2026-0001. */
export async function namedInvoice(of: Crediting, serial: string | undefined): Promise<InvoiceRow> {
  const [, series = '', number = ''] = /^(INV-\d{4})-(\d{1,9})$/.exec(line('invoice', serial).toUpperCase()) ?? []
  const invoice = series ? await invoiceBySerial(of, { series, number: Number(number) }) : undefined
  if (!invoice) throw new UsageError(`Company ${of.companyId} has no such invoice. A number looks like INV-2026-0001.`)
  return invoice
}
