import { setImmediate as nextTurn } from 'node:timers/promises'
import { InvoiceLine, InvoiceParty, Tax, Transfer } from '@isotherm/contract/billing.ts'
import { Locale } from '@isotherm/contract/common.ts'
import type { z } from 'zod'
import { refersToOf } from '../../core/billing/invoice-lines.ts'
import type { InvoiceRow, ShownInvoice } from '../../core/billing/invoice-queries.ts'
import { serialOf } from '../../core/billing/invoices.ts'
import { minorDigits } from '../../domain/money.ts'
import { dim, ink, openPaper, type Paper, paragraph, sheet, tabular, textWidth } from '../../reporting/paper.ts'
import { table } from '../../reporting/table.ts'
import { textOf, type Words, wordsOf } from '../../reporting/words.ts'

type Text = ReturnType<typeof textOf>

const decimalsOf = (basisPoints: number) => (basisPoints % 100 === 0 ? 0 : basisPoints % 10 === 0 ? 1 : 2)

/** An invoice or a credit note as a PDF. It is made of what never changes of it, so that it has the same bytes whenever it is made. It gives way between its parts: fonts are slow to open, to set and to pack. */
export async function invoicePdf(row: ShownInvoice): Promise<Buffer> {
  const locale = Locale.parse(row.locale)
  const words = wordsOf(locale, row.zone)
  const t = textOf(locale)
  const seller = InvoiceParty.parse(row.seller)
  const title = titleOf(row, t)
  const frame = { head: title, foot: seller.name, total: 1 }
  const paper = openPaper(words, { title, author: seller.name, locale, createdAt: row.issued_at }, frame)
  const parts: Buffer[] = []
  paper.doc.on('data', (part: Buffer) => void parts.push(part))
  const written = new Promise<void>((done, fail) => paper.doc.once('end', done).once('error', fail))
  await nextTurn()
  paper.newPage()
  for (const part of [printHead, parties, printLines]) {
    await nextTurn()
    part(paper, row, t)
  }
  await nextTurn()
  paper.doc.end()
  await written
  return Buffer.concat(parts)
}

const titleOf = (row: InvoiceRow, t: Text): string => {
  const serial = serialOf(row)
  return row.kind === 'credit_note'
    ? t('wallet:document.creditNote', { serial })
    : t('wallet:document.title', { serial })
}

function printHead(paper: Paper, row: ShownInvoice, t: Text): void {
  const { words, doc } = paper
  doc.font('strong').fontSize(18).fillColor(ink).text(titleOf(row, t), sheet.left, paper.y, { width: textWidth })
  paper.y += 28
  const date = `${t('wallet:document.date')}: ${words.time(row.issued_at)} (${row.zone})`
  paragraph(paper, date, { size: 9, color: ink })
  for (const text of standing(row, paper, t)) paragraph(paper, text, { size: 9, color: ink })
}

function printLines(paper: Paper, row: ShownInvoice, t: Text): void {
  const { words } = paper
  const digits = minorDigits(row.currency)
  const money = (amount: number | string) => words.number(Number(amount) / 10 ** digits, digits)
  paper.y += 14
  const columns = [
    { title: t('wallet:document.for'), width: textWidth - 190 },
    { title: t('wallet:document.quantity'), width: 80, align: 'right' as const },
    { title: t('wallet:document.amount', { currency: row.currency }), width: 110, align: 'right' as const },
  ]
  const refersTo = refersToOf(row)
  const credit = refersTo ? [[t('wallet:document.credit', { serial: refersTo.serialNumber }), '', money(row.net)]] : []
  const lines = InvoiceLine.array()
    .parse(row.lines)
    .map((line) => [nameOf(line, words, t), 'quantity' in line ? words.number(line.quantity) : '', money(line.net)])
  const taxes = Tax.array()
    .parse(row.taxes)
    .map(({ name, basisPoints, amount }) => [
      `${name} ${words.percent(basisPoints / 100, decimalsOf(basisPoints))}`,
      '',
      money(amount),
    ])
  const total = [t('wallet:document.total'), '', money(row.total)].map((text) => ({ text, strong: true }))
  table(paper, columns, [...lines, ...credit, [t('wallet:document.net'), '', money(row.net)], ...taxes, total])
}

/** Why there is a credit note; whether an invoice is paid, or how it is; why it has no tax. As it was when it was issued. */
function standing(row: InvoiceRow, { words }: Paper, t: Text): string[] {
  const note = row.tax_note
  const tax = note
    ? [note === 'reverse_charge' ? t('wallet:document.reverseCharge') : t('wallet:document.exempt', { reason: note })]
    : []
  if (row.kind === 'credit_note') return [t('wallet:document.reason', { reason: row.reason ?? '' }), ...tax]
  if (!row.transfer) return [t('wallet:document.paid'), ...tax]
  const { holder, bank, account, bic, branch, reference, until } = Transfer.parse(row.transfer)
  const to = [
    ...[holder, bank, `${t('wallet:bank.account')} ${account}`],
    ...(bic ? [`${t('wallet:bank.bic')} ${bic}`] : []),
    ...(branch ? [`${t('wallet:bank.branch')} ${branch}`] : []),
  ]
  return [
    t('wallet:document.owed', { until: words.date(new Date(until)) }),
    t('wallet:document.payTo', { to: to.join(', ') }),
    t('wallet:document.reference', { reference }),
    ...tax,
  ]
}

function nameOf(line: InvoiceLine, words: Words, t: Text): string {
  if (line.what === 'units')
    return t(`wallet:bought.${line.kind}`, { count: line.quantity, number: words.number(line.quantity) })
  const what = t(`wallet:planned.${line.what === 'plan' ? line.cadence : 'unused'}`, { plan: line.plan })
  return t('wallet:during', { what, from: words.date(line.from), to: words.date(line.to) })
}

/** Seller and buyer beside each other. */
function parties(paper: Paper, { seller, buyer, locale }: InvoiceRow, t: Text): void {
  const countries = new Intl.DisplayNames([locale, 'en'], { type: 'region' })
  const width = textWidth / 2 - 10
  const top = paper.y + 16
  const column = (name: string, party: z.infer<typeof InvoiceParty>, left: number) => {
    const number = party.taxNumber ? [t('wallet:document.taxNumber', { number: party.taxNumber })] : []
    const text = [party.name, party.address, countries.of(party.country) ?? party.country, ...number].join('\n')
    paper.doc.font('text').fontSize(8).fillColor(dim).text(name, left, top, { width })
    paper.doc.fontSize(9).fillColor(ink)
    const options = { width, features: tabular }
    paper.doc.text(text, left, top + 13, options)
    return top + 13 + paper.doc.heightOfString(text, options)
  }
  const ends = [
    column(t('wallet:document.from'), InvoiceParty.parse(seller), sheet.left),
    column(t('wallet:document.to'), InvoiceParty.parse(buyer), sheet.left + textWidth / 2 + 10),
  ]
  paper.y = Math.max(...ends) + 8
}
