import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translate } from '../../../platform/i18n/i18n.ts'
import { charts } from '../../../platform/paper/chart.ts'
import {
  dim,
  heading,
  ink,
  openPaper,
  type Paper,
  paragraph,
  sheet,
  textWidth,
  tones,
} from '../../../platform/paper/paper.ts'
import { table } from '../../../platform/paper/table.ts'
import { wordsOf } from '../../../platform/paper/words.ts'
import type { GroupReportContent } from '../content.ts'
import { bandOf } from './band.ts'
import { deviceTable } from './device-table.ts'
import { excursionTable } from './excursion-table.ts'
import { factRows, totalRows } from './facts.ts'

/** Writes the report as a PDF and resolves with its number of pages. */
export async function writePdf(out: Writable, content: GroupReportContent): Promise<number> {
  // Laid out twice: the first time only to know how many pages there will be.
  const counted = paperOf(content, null)
  counted.doc.resume()
  layOut(counted, content)
  counted.doc.end()
  const paper = paperOf(content, counted.pages)
  const written = pipeline(paper.doc, out)
  layOut(paper, content)
  paper.doc.end()
  await written
  return paper.pages
}

function paperOf(content: GroupReportContent, total: number | null): Paper {
  const words = wordsOf(content.locale, content.zone)
  const { clock, t } = words
  const period = t('fromTo', {
    from: clock.minute(Date.parse(content.period.from)),
    to: clock.minute(Date.parse(content.period.to)),
  })
  const title = translate(content.locale, 'groupReports:document.title', { group: content.group })
  return openPaper(
    words,
    { title, author: content.company, locale: content.locale },
    {
      head: `${content.company} · ${content.group} · ${period}`,
      foot: `Isotherm · ${clock.minute(content.issuedAt)}`,
      total,
    },
  )
}

function layOut(paper: Paper, content: GroupReportContent) {
  paper.newPage()
  printTitle(paper, content)
  printFacts(paper, content)
  printTotals(paper, content)
  charts(paper, bandOf(content))
  deviceTable(paper, content)
  excursionTable(paper, content)
}

function printTitle(paper: Paper, content: GroupReportContent) {
  const { doc } = paper
  doc.font('strong').fontSize(9).fillColor(tones.ok).text('Isotherm', sheet.left, 42)
  doc.font('strong').fontSize(18).fillColor(ink)
  const height = doc.heightOfString(content.group, { width: textWidth })
  doc.text(content.group, sheet.left, 58, { width: textWidth })
  const subtitle = translate(content.locale, 'groupReports:document.subtitle', { company: content.company })
  doc
    .font('text')
    .fontSize(10)
    .fillColor(dim)
    .text(subtitle, sheet.left, 62 + height, { width: textWidth })
  paper.y = 62 + height + 18
}

function printFacts(paper: Paper, content: GroupReportContent) {
  heading(paper, paper.words.t('about'))
  const columns = [
    { title: '', width: 150 },
    { title: '', width: textWidth - 150 },
  ]
  const rows = factRows(paper.words, content).map(([name, value]) => [{ text: name, color: dim }, value])
  table(paper, columns, rows)
}

function printTotals(paper: Paper, content: GroupReportContent) {
  const { words } = paper
  const { told, rows } = totalRows(words, content, content.locale)
  const own = (textWidth - 150) / told.length
  heading(paper, translate(content.locale, 'groupReports:document.totals'))
  const columns = [{ title: '', width: 150 }, ...told.map((measure) => ({ title: words.t(measure), width: own }))]
  table(
    paper,
    columns,
    rows.map(([name, ...values]) => [{ text: name, color: dim }, ...values]),
  )
  paragraph(paper, translate(content.locale, 'groupReports:document.totalsNote'), { size: 7 })
}
