import { translate } from '../../platform/i18n/i18n.ts'
import { charts } from '../../reporting/chart.ts'
import { excursionTable } from '../../reporting/excursion-table.ts'
import { periodText } from '../../reporting/facts.ts'
import type { Layout, Source } from '../../reporting/layout.ts'
import { readingColumns } from '../../reporting/reading-columns.ts'
import { judgeBy } from '../../reporting/readings.ts'
import { excursionsSheet, statsFigures, summarySheet } from '../../reporting/spreadsheet.ts'
import { isPrinted } from '../../reporting/stats-rows.ts'
import { tableOf } from '../../reporting/tables.ts'
import { measuredOf, type ReportContent } from './content.ts'
import { cover } from './pdf/cover.ts'
import { factRows } from './pdf/fact-rows.ts'
import { figures } from './pdf/figures.ts'
import { groundOf, mapSketch } from './pdf/map-sketch.ts'

/** The report of one device. */
export const layout: Layout<ReportContent> = {
  data: (content) => ({ devices: [measuredOf(content)] }),
  async pdf({ content, digest, words, rows }) {
    const { company, device, period, rules } = content
    const ground = await groundOf(content)
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
            charts(paper, content)
            mapSketch(paper, content, ground)
            excursionTable(paper, content)
          },
          ...(content.withReadings && {
            readings: { count: digest.readings, judge: judgeBy(rules), rows: rows(measuredOf(content)) },
          }),
        },
      ],
    }
  },
  table: (source) => readings(source, ({ time, utc }) => [time, utc]),
  sheets(source) {
    const { content, digest, words } = source
    const printed = (['temperature', 'humidity'] as const).filter((measure) => isPrinted(content, measure))
    return [
      summarySheet(words, factRows(words, content, digest), printed, statsFigures(words, content.stats, printed)),
      excursionsSheet(words, content.excursions),
      ...(content.withReadings ? [readings(source, ({ time, offset, utc }) => [time, offset, utc])] : []),
    ]
  },
}

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
