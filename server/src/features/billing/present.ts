import {
  type BillingDetails,
  type Invoice,
  InvoiceLine,
  InvoiceParty,
  type InvoiceState,
  Tax,
} from '@isotherm/contract/billing.ts'
import type { AccountRow } from '../../core/billing/account-queries.ts'
import { refersToOf } from '../../core/billing/invoice-lines.ts'
import type { ShownInvoice } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'

export const detailsOf = ({ name, address, country, tax_number: taxNumber, email }: AccountRow): BillingDetails => ({
  name,
  address,
  country,
  taxNumber,
  email,
})

function stateOf({ paid_at: paidAt, total, credited }: ShownInvoice): InvoiceState {
  const isAll = BigInt(credited) >= BigInt(total)
  if (!paidAt) return isAll ? 'void' : 'owed'
  if (credited === '0') return 'paid'
  return isAll ? 'credited' : 'partlyCredited'
}

export const presentInvoice = (row: ShownInvoice): Invoice => ({
  id: row.id,
  kind: row.kind === 'credit_note' ? 'creditNote' : 'invoice',
  serialNumber: serialOf(row),
  state: row.kind === 'credit_note' ? null : stateOf(row),
  refersTo: refersToOf(row),
  reason: row.reason,
  taxNote: row.tax_note,
  date: row.issued_at.toISOString(),
  currency: row.currency,
  net: Number(row.net),
  taxes: Tax.array().parse(row.taxes),
  amount: Number(row.total),
  lines: InvoiceLine.array().parse(row.lines),
  seller: InvoiceParty.parse(row.seller),
  buyer: InvoiceParty.parse(row.buyer),
})
