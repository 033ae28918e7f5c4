import { type BillingDetails, type Invoice, InvoiceLine, InvoiceParty, Tax } from '@isotherm/contract/billing.ts'
import type { AccountRow } from '../../core/billing/account-queries.ts'
import type { InvoiceRow } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'

export const detailsOf = ({ name, address, country, tax_number: taxNumber }: AccountRow): BillingDetails => ({
  name,
  address,
  country,
  taxNumber,
})

export const presentInvoice = (row: InvoiceRow): Invoice => ({
  id: row.id,
  serialNumber: serialOf(row),
  date: row.issued_at.toISOString(),
  currency: row.currency,
  net: Number(row.net),
  taxes: Tax.array().parse(row.taxes),
  amount: Number(row.total),
  lines: InvoiceLine.array().parse(row.lines),
  seller: InvoiceParty.parse(row.seller),
  buyer: InvoiceParty.parse(row.buyer),
})
