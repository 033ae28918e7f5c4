import { InvoiceLine, InvoiceParty, Tax, Transfer } from '@isotherm/contract/billing.ts'
import { Locale } from '@isotherm/contract/common.ts'
import { refersToOf } from '../../core/billing/invoice-lines.ts'
import type { InvoiceRow, ShownInvoice } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import { textOf, type Words, wordsOf } from '../../reporting/words.ts'
import { payBy, salePdf, type Text, taxNotes } from './sale-pdf.ts'

/** An invoice or a credit note as a PDF. It is made of what never changes of it, so that it has the same bytes whenever it is made. */
export function invoicePdf(row: ShownInvoice): Promise<Buffer> {
  const locale = Locale.parse(row.locale)
  const words = wordsOf(locale, row.zone)
  const t = textOf(locale)
  const refersTo = refersToOf(row)
  const ofLine = (line: InvoiceLine) => ({
    name: nameOf(line, words, t),
    quantity: 'quantity' in line ? line.quantity : null,
    net: line.net,
  })
  const credit = refersTo && {
    ...{ name: t('wallet:document.credit', { serial: refersTo.serialNumber }), quantity: null, net: row.net },
  }
  return salePdf({
    ...{ locale, zone: row.zone, title: titleOf(row, t), date: row.issued_at, standing: standing(row, words, t) },
    ...{ seller: InvoiceParty.parse(row.seller), buyer: InvoiceParty.parse(row.buyer) },
    ...{ lines: [...InvoiceLine.array().parse(row.lines).map(ofLine), ...(credit ? [credit] : [])] },
    ...{ currency: row.currency, net: row.net, taxes: Tax.array().parse(row.taxes), total: row.total },
  })
}

const titleOf = (row: InvoiceRow, t: Text): string => {
  const serial = serialOf(row)
  return row.kind === 'credit_note'
    ? t('wallet:document.creditNote', { serial })
    : t('wallet:document.title', { serial })
}

/** Why there is a credit note; whether an invoice is paid, or how it is; why it has no tax. As it was when it was issued. */
function standing(row: InvoiceRow, words: Words, t: Text): string[] {
  const tax = taxNotes(row.tax_note, t)
  if (row.kind === 'credit_note') return [t('wallet:document.reason', { reason: row.reason ?? '' }), ...tax]
  if (!row.transfer) return [t('wallet:document.paid'), ...tax]
  return [...payBy(Transfer.parse(row.transfer), words, t), ...tax]
}

function nameOf(line: InvoiceLine, words: Words, t: Text): string {
  if (line.what === 'units')
    return t(`wallet:bought.${line.kind}`, { count: line.quantity, number: words.number(line.quantity) })
  const what = t(`wallet:planned.${line.what === 'plan' ? line.cadence : 'unused'}`, { plan: line.plan })
  return t('wallet:during', { what, from: words.date(line.from), to: words.date(line.to) })
}
