import type { ReportContents } from '@isotherm/contract/device-reports.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { alarmTable } from '../../reporting/alarm-table.ts'
import { charts } from '../../reporting/chart.ts'
import { onlyTable } from '../../reporting/contents.ts'
import { alarmsTable } from '../../reporting/device-tables.ts'
import { factTable, periodText } from '../../reporting/facts.ts'
import type { Layout, Source } from '../../reporting/layout.ts'
import { dim, heading, type Paper, paragraph, textWidth, tones } from '../../reporting/paper.ts'
import { maxPrintedReadings } from '../../reporting/pdf.ts'
import { columnsOfDevice, noDevice } from '../../reporting/reading-columns.ts'
import { judgeBy } from '../../reporting/readings.ts'
import { excursionsSheet, summarySheet } from '../../reporting/spreadsheet.ts'
import { keptTable } from '../../reporting/table.ts'
import { type Table, tableOf } from '../../reporting/tables.ts'
import { printTitle } from '../../reporting/title.ts'
import { textOf, type Words } from '../../reporting/words.ts'
import { columnsOf, rowsOf } from './columns.ts'
import type { GroupReportContent } from './content.ts'
import { bandOf } from './pdf/band.ts'
import { deviceTable } from './pdf/device-table.ts'
import { excursionTable } from './pdf/excursion-table.ts'
import { factRows, totalRows } from './pdf/facts.ts'

/** The report of a group. */
export const layout: Layout<GroupReportContent> = {
  data: (content) => ({ devices: measuredOf(content) }),
  pdf({ content, digest, words, rows }) {
    const head = `${content.company} · ${content.group} · ${periodText(words, content.period)}`
    const isPrinted = digest.readings <= maxPrintedReadings
    return {
      title: translate(content.locale, 'groupReports:document.title', { group: content.group }),
      head,
      sections: [
        { print: (paper) => print(paper, content, isPrinted ? 0 : digest.readings) },
        ...(isPrinted ? measuredOf(content) : []).map((device) => ({
          head: `${head} · ${device.name}`,
          readings: {
            count: digest.byDevice.get(device.deviceId) ?? 0,
            judge: judgeBy(device.rules),
            rows: rows(device),
          },
        })),
      ],
    }
  },
  table(source) {
    const { content, words } = source
    const only = onlyTable(content.contents)
    if (only === 'stats') return devices(source)
    if (only === 'readings') return readings(source)
    return only === 'alarms' ? alarmsTable(content, content.alarms) : excursions(words, content)
  },
  sheets(source) {
    const { content, words } = source
    const has = (part: ReportContents) => content.contents.includes(part)
    const { printed, rows } = totalRows(words, content)
    return [
      summarySheet(words, factRows(words, content), has('stats') ? printed : [], has('stats') ? rows : []),
      ...(has('stats') ? [devices(source)] : []),
      ...(has('excursions') ? [excursions(words, content)] : []),
      ...(has('alarms') ? [alarmsTable(content, content.alarms)] : []),
      ...(has('readings') ? [readings(source)] : []),
    ]
  },
}

/** The devices whose readings are listed. */
const measuredOf = ({ devices, period }: GroupReportContent) =>
  devices.flatMap(({ device, stats, rules }) =>
    rules
      ? [
          {
            name: device.name,
            deviceId: Number(device.id),
            from: Date.parse(period.from),
            until: Date.parse(stats.period.to),
            rules,
            evidence: {},
          },
        ]
      : [],
  )

const excursions = (words: Words, { excursions, locale }: GroupReportContent) =>
  excursionsSheet(words, excursions, translate(locale, 'groupReports:table.device'))

const readings = ({ content, rows }: Source<GroupReportContent>): Table => ({
  name: translate(content.locale, 'reports:contents.readings'),
  heads: columnsOfDevice(content, noDevice),
  rows: cellsOf(content, rows),
})

async function* cellsOf(content: GroupReportContent, rows: Source<GroupReportContent>['rows']) {
  for (const device of measuredOf(content)) {
    const columns = columnsOfDevice(content, device)
    for await (const some of rows(device)) yield some.map((row) => columns.map(({ value }) => value(row)))
  }
}

/** One row per device and measure; times in ISO 8601 (UTC). */
function devices({ content }: Source<GroupReportContent>) {
  const name = translate(content.locale, 'groupReports:document.devices')
  return tableOf(name, columnsOf(content), [rowsOf(content)])
}

/** `leftOut`: how many readings are too many for paper. */
function print(paper: Paper, content: GroupReportContent, leftOut: number) {
  const { contents, chart, locale, alarmCount, alarms } = content
  const { number } = paper.words
  const subtitle = translate(content.locale, 'groupReports:document.subtitle', { company: content.company })
  printTitle(paper, { title: content.group, subtitle })
  heading(paper, paper.words.t('about'))
  factTable(paper, factRows(paper.words, content), 150)
  const note = (key: string, values: object) =>
    paragraph(paper, textOf(locale)(key, { ...values }), { color: tones.warning })
  if (leftOut > 0) note('tooManyReadings', { total: number(leftOut) })
  if (contents.includes('stats')) printTotals(paper, content)
  if (chart) charts(paper, bandOf(content, chart))
  if (contents.includes('stats')) deviceTable(paper, content)
  if (contents.includes('excursions')) excursionTable(paper, content)
  if (!contents.includes('alarms')) return
  alarmTable(paper, { alarms, locale, withDevices: true })
  if (alarmCount > alarms.length) note('leftOut', { number: number(alarmCount - alarms.length) })
}

function printTotals(paper: Paper, content: GroupReportContent) {
  const { words } = paper
  const { printed, rows } = totalRows(words, content)
  const own = (textWidth - 150) / printed.length
  const columns = [{ title: '', width: 150 }, ...printed.map((measure) => ({ title: words.t(measure), width: own }))]
  keptTable(
    paper,
    translate(content.locale, 'groupReports:document.totals'),
    columns,
    rows.map(([name, ...values]) => [{ text: name, color: dim }, ...values.map((text) => ({ text }))]),
  )
  paragraph(paper, translate(content.locale, 'groupReports:document.totalsNote'), { size: 7 })
}
