import { setImmediate as nextTurn } from 'node:timers/promises'
import type { InvoiceParty, Tax, Transfer } from '@isotherm/contract/billing.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { minorDigits } from '@isotherm/contract/money.ts'
import type { z } from 'zod'
import { dim, ink, openPaper, type Paper, paragraph, sheet, tabular, textWidth } from '../../reporting/paper.ts'
import { table } from '../../reporting/table.ts'
import { textOf, type Words, wordsOf } from '../../reporting/words.ts'

export type Text = ReturnType<typeof textOf>
type Party = z.infer<typeof InvoiceParty>

/** A sale as it is printed: an invoice, a credit note, or what somebody has to pay by transfer. Amounts are minor units. */
export interface Sale {
  locale: Locale
  zone: string
  title: string
  date: Date
  /** Lines below the title: whether it is paid, how it is to be paid, why it has no tax. */
  standing: string[]
  seller: Party
  buyer: Party
  lines: { name: string; quantity: number | null; net: number | string }[]
  currency: string
  net: number | string
  taxes: Tax[]
  total: number | string
}

const decimalsOf = (basisPoints: number) => (basisPoints % 100 === 0 ? 0 : basisPoints % 10 === 0 ? 1 : 2)

/** The same bytes for the same sale. It gives way between its parts: fonts are slow to open, to set and to pack. */
export async function salePdf(sale: Sale): Promise<Buffer> {
  const { locale, zone, title, seller, date } = sale
  const words = wordsOf(locale, zone)
  const frame = { head: title, foot: seller.name, total: 1 }
  const paper = await openPaper(words, { title, author: seller.name, locale, createdAt: date }, frame)
  const parts: Buffer[] = []
  paper.doc.on('data', (part: Buffer) => void parts.push(part))
  const written = new Promise<void>((done, fail) => paper.doc.once('end', done).once('error', fail))
  await nextTurn()
  paper.newPage()
  for (const part of [printHead, parties, printLines]) {
    await nextTurn()
    part(paper, sale, textOf(locale))
  }
  await nextTurn()
  paper.doc.end()
  await written
  return Buffer.concat(parts)
}

function printHead(paper: Paper, sale: Sale, t: Text): void {
  const { words, doc } = paper
  doc.font('strong').fontSize(18).fillColor(ink).text(sale.title, sheet.left, paper.y, { width: textWidth })
  paper.y += 28
  const date = words.named(t('wallet:document.date'), `${words.time(sale.date)} (${sale.zone})`)
  paragraph(paper, date, { size: 9, color: ink })
  for (const text of sale.standing) paragraph(paper, text, { size: 9, color: ink })
}

function printLines(paper: Paper, sale: Sale, t: Text): void {
  const { words } = paper
  const digits = minorDigits(sale.currency)
  const money = (amount: number | string) => words.number(Number(amount) / 10 ** digits, digits)
  paper.y += 14
  const columns = [
    { title: t('wallet:document.for'), width: textWidth - 190 },
    { title: t('wallet:document.quantity'), width: 80, align: 'right' as const },
    { title: t('wallet:document.amount', { currency: sale.currency }), width: 110, align: 'right' as const },
  ]
  const lines = sale.lines.map(({ name, quantity, net }) => [
    name,
    quantity === null ? '' : words.number(quantity),
    money(net),
  ])
  const taxes = sale.taxes.map(({ name, basisPoints, amount }) => [
    `${name} ${words.percent(basisPoints / 100, decimalsOf(basisPoints))}`,
    '',
    money(amount),
  ])
  const total = [t('wallet:document.total'), '', money(sale.total)].map((text) => ({ text, strong: true }))
  table(paper, columns, [...lines, [t('wallet:document.net'), '', money(sale.net)], ...taxes, total])
}

/** Why a sale has no tax. */
export const taxNotes = (note: string | null, t: Text): string[] =>
  note
    ? [note === 'reverse_charge' ? t('wallet:document.reverseCharge') : t('wallet:document.exempt', { reason: note })]
    : []

/** How a sale is paid by transfer, and by when. */
export function payBy(
  { holder, bank, account, bic, branch, reference, until }: Transfer,
  words: Words,
  t: Text,
): string[] {
  const to = [
    ...[holder, bank, `${t('wallet:bank.account')} ${account}`],
    ...(bic ? [`${t('wallet:bank.bic')} ${bic}`] : []),
    ...(branch ? [`${t('wallet:bank.branch')} ${branch}`] : []),
  ]
  return [
    t('wallet:document.owed', { until: words.date(new Date(until)) }),
    t('wallet:document.payTo', { to: to.join(', ') }),
    t('wallet:document.reference', { reference }),
  ]
}

/** Seller and buyer beside each other. */
function parties(paper: Paper, { seller, buyer, locale }: Sale, t: Text): void {
  const countries = new Intl.DisplayNames([locale, 'en'], { type: 'region' })
  const width = textWidth / 2 - 10
  const top = paper.y + 16
  const column = (name: string, party: Party, left: number) => {
    const number = party.taxNumber ? [t('wallet:document.taxNumber', { number: party.taxNumber })] : []
    const text = [party.name, party.address, countries.of(party.country) ?? party.country, ...number].join('\n')
    paper.doc.font('text').fontSize(8).fillColor(dim).text(name, left, top, { width })
    paper.doc.fontSize(9).fillColor(ink)
    const options = { width, features: tabular }
    paper.doc.text(text, left, top + 13, options)
    return top + 13 + paper.doc.heightOfString(text, options)
  }
  const ends = [
    column(t('wallet:document.from'), seller, sheet.left),
    column(t('wallet:document.to'), buyer, sheet.left + textWidth / 2 + 10),
  ]
  paper.y = Math.max(...ends) + 8
}
