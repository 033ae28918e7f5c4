import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { type Cell, type Column, timeFormat } from '../../reporting/tables.ts'
import type { DevicePart, GroupReportContent } from './content.ts'

type Measure = 'temperature' | 'humidity'
const measures: readonly Measure[] = ['temperature', 'humidity']

/** A row of the table: one measure of a device. */
interface MeasureRow {
  part: DevicePart
  measure: Measure
}

const minutes = (ms: number) => Math.round(ms / 60) / 1000
const instant = (extreme: MeasureStats['min']): Cell => extreme && { at: Date.parse(extreme.at), isUtc: true }
const limitOf = ({ device: { limits } }: DevicePart, measure: Measure, side: 'min' | 'max') =>
  measure === 'temperature'
    ? limits[side === 'min' ? 'temperatureMinC' : 'temperatureMaxC']
    : limits[side === 'min' ? 'humidityMinPct' : 'humidityMaxPct']

/** Whether a measure of a device is worth a row: it was measured, or should have been. */
const isPrinted = (part: DevicePart, measure: Measure): boolean =>
  measure === 'temperature' ||
  part.stats.humidity.count > 0 ||
  limitOf(part, 'humidity', 'min') !== null ||
  limitOf(part, 'humidity', 'max') !== null

/** The columns of the table of devices as a spreadsheet has them: a row per device and measure, numbers as numbers. */
export function columnsOf({ locale }: Pick<GroupReportContent, 'locale'>): Column<MeasureRow>[] {
  const word = (key: string) => translate(locale, `groupReports:table.${key}`)
  const of = (name: string, width: number, value: (row: MeasureRow) => Cell, numFmt?: string): Column<MeasureRow> => ({
    header: word(name),
    width,
    value,
    ...(numFmt && { numFmt }),
  })
  const stat = (name: string, width: number, value: (stats: MeasureStats) => Cell, numFmt?: string) =>
    of(name, width, ({ part, measure }) => value(part.stats[measure]), numFmt)
  return [
    of('device', 32, ({ part }) => part.device.name),
    of('tag', 20, ({ part }) => part.device.tag),
    of('imei', 18, ({ part }) => part.device.imei),
    of('measure', 14, ({ measure }) => word(measure)),
    stat('verdict', 16, (s) => translate(locale, `deviceReports:document.verdict.${s.verdict}`)),
    of('lower', 12, ({ part, measure }) => limitOf(part, measure, 'min'), '0.00'),
    of('upper', 12, ({ part, measure }) => limitOf(part, measure, 'max'), '0.00'),
    stat('lowest', 11, (s) => s.min?.value ?? null, '0.00'),
    stat('lowestAt', 21, (s) => instant(s.min), timeFormat),
    stat('average', 11, (s) => s.average, '0.00'),
    stat('highest', 11, (s) => s.max?.value ?? null, '0.00'),
    stat('highestAt', 21, (s) => instant(s.max), timeFormat),
    stat('mkt', 14, (s) => s.mkt?.valueC ?? null, '0.00'),
    stat('excursions', 12, (s) => s.excursions.count),
    stat('above', 16, (s) => minutes(s.aboveMs), '0.0'),
    stat('below', 16, (s) => minutes(s.belowMs), '0.0'),
    stat('within', 16, (s) => minutes(s.withinMs), '0.0'),
    stat('unjudged', 16, (s) => minutes(s.unjudgedMs), '0.0'),
    // Rounded down: 99.996 % is not everything.
    stat('coverage', 12, (s) => (s.coveragePct === null ? null : shownCoverage(s.coveragePct, 2)), '0.00'),
    stat('readings', 11, (s) => s.count),
  ]
}

/** The rows of the table: each device's measures that are worth telling. */
export const rowsOf = ({ devices }: GroupReportContent): MeasureRow[] =>
  devices.flatMap((part) =>
    measures.filter((measure) => isPrinted(part, measure)).map((measure) => ({ part, measure })),
  )
