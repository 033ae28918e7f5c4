import type { ReportContents } from '@isotherm/contract/device-reports.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { onlyTable } from '../../reporting/contents.ts'
import { alarmsTable, statsTable } from '../../reporting/device-tables.ts'
import { periodText } from '../../reporting/facts.ts'
import type { Layout, Source } from '../../reporting/layout.ts'
import { readingColumns } from '../../reporting/reading-columns.ts'
import { judgeBy } from '../../reporting/readings.ts'
import { excursionsSheet, statsFigures, summarySheet } from '../../reporting/spreadsheet.ts'
import { isPrinted } from '../../reporting/stats-rows.ts'
import { tableOf } from '../../reporting/tables.ts'
import type { ReportContent } from './content.ts'
import { measuredOf } from './measured.ts'
import { printChosen } from './pdf/chosen.ts'
import { cover } from './pdf/cover.ts'
import { factRows } from './pdf/fact-rows.ts'
import { figures } from './pdf/figures.ts'
import { groundOf } from './pdf/map-sketch.ts'

/** The report of one device. */
export const layout: Layout<ReportContent> = {
  data: (content) => ({ devices: [measuredOf(content)] }),
  async pdf({ content, digest, words, rows }) {
    const { company, device, period, rules } = content
    const ground = content.contents.includes('charts') ? await groundOf(content) : null
    return {
      title: words.t('title', { device: device.name }),
      head: [
        ...(device.sampleUntil ? [words.t('sampleHead')] : []),
        ...[company, device.name, periodText(words, period)],
      ].join(' · '),
      sections: [
        {
          print(paper) {
            cover(paper, content, digest)
            figures(paper, content, digest)
            printChosen(paper, content, ground)
          },
          ...(content.contents.includes('readings') && {
            readings: { count: digest.readings, judge: judgeBy(rules), rows: rows(measuredOf(content)) },
          }),
        },
      ],
    }
  },
  table(source) {
    const { content, words } = source
    const only = onlyTable(content.contents)
    if (only === 'readings') return readings(source, ({ time, utc }) => [time, utc])
    if (only === 'excursions') return excursionsSheet(words, content.excursions)
    return only === 'alarms' ? alarmsTable(content, content.alarms) : statsTable(content, [stated(content)])
  },
  sheets(source) {
    const { content, digest, words } = source
    const has = (part: ReportContents) => content.contents.includes(part)
    const printed = (['temperature', 'humidity'] as const).filter(
      (measure) => has('stats') && isPrinted(content, measure),
    )
    return [
      summarySheet(
        words,
        factRows(words, content, digest),
        printed,
        has('stats') ? statsFigures(words, content.stats, printed) : [],
      ),
      ...(has('excursions') ? [excursionsSheet(words, content.excursions)] : []),
      ...(has('alarms') ? [alarmsTable(content, content.alarms)] : []),
      ...(has('readings') ? [readings(source, ({ time, offset, utc }) => [time, offset, utc])] : []),
    ]
  },
}

const stated = ({ device: { name, tag }, hardware, stats }: ReportContent) => ({
  name,
  tag,
  stats,
  imeis: [...new Set(hardware.map(({ imei }) => imei))],
})

type Columns = ReturnType<typeof readingColumns>

/** One row per reading; `timesOf` are its first columns. */
function readings({ content, rows }: Source<ReportContent>, timesOf: (columns: Columns) => Columns['values']) {
  const columns = readingColumns(content, content.rules)
  const own = [columns.device(content.device.name), columns.imei((at) => imeiAt(content, at))]
  const name = translate(content.locale, 'deviceReports:table.sheet')
  return tableOf(name, [...timesOf(columns), ...columns.values, ...own], rows(measuredOf(content)))
}

/** The hardware that measured at an instant. */
const imeiAt = ({ hardware }: ReportContent, at: number): string =>
  hardware.findLast(({ from, to }) => from <= at && (to === null || at < to))?.imei ?? ''
