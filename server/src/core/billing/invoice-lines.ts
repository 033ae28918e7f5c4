import { InvoiceParty } from '@isotherm/contract/billing.ts'
import { signedMajorText } from '../../domain/money.ts'
import type { ShownInvoice } from './invoice-queries.ts'
import { serialOf } from './invoices.ts'

/** The columns of a file of invoices, in English: programs read them. */
export const invoiceColumns = [
  'number',
  'kind',
  'date',
  'refers to',
  'currency',
  'net',
  'tax',
  'total',
  'buyer',
  'country',
  'tax number',
  'tax note',
  'paid at',
  'reason',
] as const

/** The serial number of the invoice that a credit note takes back. */
export const refersToOf = ({ refers_to: id, refers_series: series, refers_number: number }: ShownInvoice) =>
  id && series && number ? { id, serialNumber: serialOf({ series, number }) } : null

/** An invoice or a credit note as a line of a file; amounts in the currency's own unit. */
export function invoiceLine(row: ShownInvoice): unknown[] {
  const buyer = InvoiceParty.parse(row.buyer)
  const money = (amount: string) => Number(signedMajorText(Number(amount), row.currency))
  return [
    ...[serialOf(row), row.kind === 'credit_note' ? 'credit note' : 'invoice', row.issued_at],
    ...[refersToOf(row)?.serialNumber ?? null, row.currency, money(row.net), money(row.tax), money(row.total)],
    ...[
      buyer.name,
      buyer.country,
      buyer.taxNumber,
      row.tax_note,
      row.kind === 'invoice' ? row.paid_at : null,
      row.reason,
    ],
  ]
}
