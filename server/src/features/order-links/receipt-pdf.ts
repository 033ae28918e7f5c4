import type { Locale } from '@isotherm/contract/common.ts'
import { judgedPercentDecimals, percentDecimals } from '@isotherm/contract/decimals.ts'
import { Party } from '@isotherm/contract/orders.ts'
import { shownCoverage, shownLeftPct, shownMinutesMs } from '@isotherm/contract/shown-figures.ts'
import { verdictOfRow } from '../../core/orders/hand-over.ts'
import type { HandOverRow, PhotoRow } from '../../core/orders/hand-over-queries.ts'
import type { ItemRow, OrderRow, ReceiverRow } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { periodText } from '../../reporting/facts.ts'
import { logoGap, printLogo } from '../../reporting/logo.ts'
import { ink, openPaper, type Paper, paragraph, rule, sheet, textWidth } from '../../reporting/paper.ts'
import { keptTable, table } from '../../reporting/table.ts'
import { textOf, wordsOf } from '../../reporting/words.ts'

export interface ReceiptFacts {
  company: string
  /** PNG. */
  logo: Buffer | null
  locale: Locale
  order: OrderRow
  receiver: ReceiverRow
  items: ItemRow[]
  handOver: HandOverRow
  photos: PhotoRow[]
  /** PNG, which was judged when it was taken. */
  signature: Buffer | null
}

type Text = ReturnType<typeof textOf>
const columns = [
  { title: '', width: 170 },
  { title: '', width: textWidth - 170 },
]

/** The receipt of a hand-over as a PDF. It is made of what never changes of it, but for name and logo of the company, so that it has the same bytes whenever it is made. */
export async function receiptPdf(facts: ReceiptFacts): Promise<Buffer> {
  const { locale, company, logo, order, handOver, receiver } = facts
  const t = textOf(locale)
  const title = t('orderLinks:receipt.title', { code: showTrackingCode(order.tracking_code) })
  const frame = { head: title, foot: `Isotherm · ${company}`, total: 'open' as const }
  const info = { title, author: company, locale, createdAt: handOver.recorded_at, logo }
  const paper = await openPaper(wordsOf(locale, receiver.zone), info, frame)
  const parts: Buffer[] = []
  paper.doc.on('data', (part: Buffer) => void parts.push(part))
  const written = new Promise<void>((done, fail) => paper.doc.once('end', done).once('error', fail))
  paper.newPage()
  const placed = printLogo(paper, sheet.left + textWidth, 40)
  const width = placed ? textWidth - placed.width - logoGap : textWidth
  paper.doc.font('strong').fontSize(18).fillColor(ink)
  const height = paper.doc.heightOfString(title, { width })
  paper.doc.text(title, sheet.left, paper.y, { width })
  paper.y += height + 6
  const sender = Party.parse(order.sender)
  paragraph(paper, t('orderLinks:receipt.from', { sender: sender.company ?? sender.name }), { size: 9, color: ink })
  paragraph(paper, `${receiver.name}, ${receiver.address}`, { size: 9, color: ink })
  printStatement(paper, t, facts)
  printItems(paper, t, facts.items)
  printConditions(paper, t, facts)
  printSignature(paper, t, facts)
  paper.doc.end()
  await written
  return Buffer.concat(parts)
}

/** A table of facts, those without a value left out. */
function printFacts(paper: Paper, title: string, facts: Record<string, string | null>) {
  const rows = Object.entries(facts).flatMap(([name, text]) => (text ? [[{ text: name }, { text, strong: true }]] : []))
  keptTable(paper, title, columns, rows)
}

function printStatement(paper: Paper, t: Text, { handOver, receiver }: ReceiptFacts) {
  const { time } = paper.words
  const zoned = (at: Date) => `${time(at)} (${receiver.zone})`
  const signer = [handOver.signer_name, handOver.signer_role].filter(Boolean).join(', ')
  printFacts(paper, t('orderLinks:receipt.handOver'), {
    [t('orderLinks:receipt.outcome')]: t(`orderLinks:outcome.${handOver.outcome}`),
    [t('orderLinks:receipt.reservation')]: handOver.reservation,
    [t('orderLinks:receipt.reason')]: handOver.reason,
    [t('orderLinks:receipt.signer')]: signer || null,
    [t('orderLinks:receipt.by')]:
      handOver.by_name && t(`orderLinks:source.${handOver.source}`, { name: handOver.by_name }),
    [t('orderLinks:receipt.occurredAt')]: zoned(handOver.occurred_at),
    [t('orderLinks:receipt.recordedAt')]: zoned(handOver.recorded_at),
    [t('orderLinks:receipt.position')]:
      handOver.lat === null || handOver.lon === null ? null : `${handOver.lat.toFixed(5)}, ${handOver.lon.toFixed(5)}`,
  })
}

function printItems(paper: Paper, t: Text, items: readonly ItemRow[]) {
  const { number } = paper.words
  const head = [
    { title: t('orderLinks:receipt.item'), width: textWidth - 260 },
    { title: t('orderLinks:receipt.sent'), width: 60, align: 'right' as const },
    { title: t('orderLinks:receipt.taken'), width: 60, align: 'right' as const },
    { title: t('orderLinks:receipt.why'), width: 140 },
  ]
  const rows = items.map((item) => [
    item.unit_count > 1 ? `${item.name} (× ${number(item.unit_count)})` : item.name,
    number(item.quantity),
    item.delivered_quantity === null ? '' : number(item.delivered_quantity),
    item.refused_reason ?? '',
  ])
  paper.y += 10
  table(paper, head, rows)
}

function printConditions(paper: Paper, t: Text, { handOver, receiver }: ReceiptFacts) {
  const { conditions, wasShown, readings } = verdictOfRow(handOver)
  const { celsius, percent, duration, time, range } = paper.words
  if (!conditions) return printFacts(paper, t('orderLinks:receipt.conditions'), { '': t('orderLinks:receipt.unknown') })
  const { worst, budget, humidity, coveragePct } = conditions
  const exact = (value: number) => percent(value, percentDecimals(value))
  const left = budget && shownLeftPct(budget)
  printFacts(paper, t('orderLinks:receipt.conditions'), {
    [t('orderLinks:verdict.title')]: t(`orderLinks:verdict.${conditions.verdict}`),
    [t('orderLinks:receipt.period')]: `${periodText(paper.words, conditions)} (${receiver.zone})`,
    ...(humidity && {
      [t('orderLinks:conditions.humidityWorst')]:
        `${percent(humidity.worstPct, judgedPercentDecimals(humidity.worstPct, humidity.limits))}, ${time(humidity.at)}`,
      [t('orderLinks:conditions.humidityLimits')]: range(humidity.limits.min, humidity.limits.max, '%'),
      [t('orderLinks:conditions.humidityOut')]: duration(shownMinutesMs(humidity.outMs)),
    }),
    [t('orderLinks:receipt.limits')]: range(conditions.limits.min, conditions.limits.max, '°C'),
    [t('orderLinks:receipt.last')]:
      conditions.now && `${celsius(conditions.now.temperatureC)}, ${time(conditions.now.at)}`,
    [t('orderLinks:receipt.worst')]: worst && `${celsius(worst.temperatureC)}, ${time(worst.at)}`,
    [t('orderLinks:receipt.out')]: duration(shownMinutesMs(conditions.outMs)),
    [t('orderLinks:receipt.coverage')]: coveragePct === null ? null : exact(shownCoverage(coveragePct)),
    [t('orderLinks:receipt.budget')]: budget && (left === null ? t(`orderLinks:budget.${budget.state}`) : exact(left)),
    [t('orderLinks:receipt.readings')]: `${conditions.readings}, SHA-256 ${readings ?? ''}`,
    [t('orderLinks:receipt.shown')]: t(wasShown ? 'orderLinks:receipt.wasShown' : 'orderLinks:receipt.wasNotShown'),
  })
}

const signatureHeight = 90

function printSignature(paper: Paper, t: Text, { handOver, photos, signature }: ReceiptFacts) {
  const { doc } = paper
  if (signature) {
    paper.room(signatureHeight + 30)
    paper.y += 10
    doc.image(signature, sheet.left, paper.y, { fit: [240, signatureHeight] })
    paper.y += signatureHeight + 4
    rule(doc, paper.y)
    paper.y += 4
    paragraph(paper, [handOver.signer_name, handOver.signer_role].filter(Boolean).join(', '))
  }
  const hashes = [
    ...(handOver.signature_sha256 ? [[t('orderLinks:receipt.signature'), handOver.signature_sha256]] : []),
    ...photos.map(({ sha256 }, index) => [t('orderLinks:receipt.photo', { number: index + 1 }), sha256]),
    [t('orderLinks:receipt.content'), handOver.content_sha256],
  ] as [string, Buffer][]
  printFacts(
    paper,
    t('orderLinks:receipt.hashes'),
    Object.fromEntries(hashes.map(([name, hash]) => [name, hash.toString('hex')])),
  )
}
