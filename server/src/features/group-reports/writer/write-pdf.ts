import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translate } from '../../../platform/i18n/i18n.ts'
import { charts } from '../../../reporting/chart.ts'
import { factTable, periodText } from '../../../reporting/facts.ts'
import { dim, heading, openPaper, type Paper, paragraph, textWidth } from '../../../reporting/paper.ts'
import { table } from '../../../reporting/table.ts'
import { printTitle } from '../../../reporting/title.ts'
import { wordsOf } from '../../../reporting/words.ts'
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
  const { clock } = words
  const title = translate(content.locale, 'groupReports:document.title', { group: content.group })
  return openPaper(
    words,
    { title, author: content.company, locale: content.locale },
    {
      head: `${content.company} · ${content.group} · ${periodText(words, content.period)}`,
      foot: `Isotherm · ${clock.minute(content.issuedAt)}`,
      total,
    },
  )
}

function layOut(paper: Paper, content: GroupReportContent) {
  paper.newPage()
  const subtitle = translate(content.locale, 'groupReports:document.subtitle', { company: content.company })
  printTitle(paper, { title: content.group, subtitle })
  heading(paper, paper.words.t('about'))
  factTable(paper, factRows(paper.words, content), 150)
  printTotals(paper, content)
  charts(paper, bandOf(content))
  deviceTable(paper, content)
  excursionTable(paper, content)
}

function printTotals(paper: Paper, content: GroupReportContent) {
  const { words } = paper
  const { printed, rows } = totalRows(words, content, content.locale)
  const own = (textWidth - 150) / printed.length
  heading(paper, translate(content.locale, 'groupReports:document.totals'))
  const columns = [{ title: '', width: 150 }, ...printed.map((measure) => ({ title: words.t(measure), width: own }))]
  table(
    paper,
    columns,
    rows.map(([name, ...values]) => [{ text: name, color: dim }, ...values]),
  )
  paragraph(paper, translate(content.locale, 'groupReports:document.totalsNote'), { size: 7 })
}
