import { translate } from '../../platform/i18n/i18n.ts'
import { charts } from '../../reporting/chart.ts'
import { factTable, periodText } from '../../reporting/facts.ts'
import type { Layout, Source } from '../../reporting/layout.ts'
import { dim, heading, type Paper, paragraph, textWidth } from '../../reporting/paper.ts'
import { excursionsSheet, summarySheet } from '../../reporting/spreadsheet.ts'
import { table } from '../../reporting/table.ts'
import { tableOf } from '../../reporting/tables.ts'
import { printTitle } from '../../reporting/title.ts'
import { columnsOf, rowsOf } from './columns.ts'
import type { GroupReportContent } from './content.ts'
import { bandOf } from './pdf/band.ts'
import { deviceTable } from './pdf/device-table.ts'
import { excursionTable } from './pdf/excursion-table.ts'
import { factRows, totalRows } from './pdf/facts.ts'

/** The report of a group. */
export const layout: Layout<GroupReportContent> = {
  pdf: ({ content, words }) => ({
    title: translate(content.locale, 'groupReports:document.title', { group: content.group }),
    head: `${content.company} · ${content.group} · ${periodText(words, content.period)}`,
    sections: [{ print: (paper) => print(paper, content) }],
  }),
  table: devices,
  sheets(source) {
    const { content, words } = source
    const { printed, rows } = totalRows(words, content)
    return [
      summarySheet(words, factRows(words, content), printed, rows),
      devices(source),
      excursionsSheet(words, content.excursions, translate(content.locale, 'groupReports:table.device')),
    ]
  },
}

/** One row per device and measure; times in ISO 8601 (UTC). */
function devices({ content }: Source<GroupReportContent>) {
  const name = translate(content.locale, 'groupReports:document.devices')
  return tableOf(name, columnsOf(content), [rowsOf(content)])
}

function print(paper: Paper, content: GroupReportContent) {
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
  const { printed, rows } = totalRows(words, content)
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
