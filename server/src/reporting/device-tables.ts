import type { Locale } from '@isotherm/contract/common.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import { translate } from '../platform/i18n/i18n.ts'
import type { ReportAlarm } from './report-alarm.ts'
import { type Cell, type Head, type Table, timeFormat } from './tables.ts'

const looks = {
  text: { width: 26 },
  short: { width: 16 },
  time: { width: 21, numFmt: timeFormat },
  number: { width: 14, numFmt: '0.00' },
  whole: { width: 12, numFmt: '0' },
} as const

/** A device with its figures. */
interface StatedDevice {
  name: string
  tag: string | null
  imeis: string[]
  stats: StatsOfDevice
}
/** The data of a device that the tables tell. */
export interface TabledDevice extends StatedDevice {
  excursions: readonly Excursion[]
  alarms: readonly ReportAlarm[]
}

/** A table about devices: what rows each has, and what they tell. */
export interface DeviceTable<Row> {
  rowsOf(device: TabledDevice): readonly Row[]
  /** By names below `reports:table`. */
  columns: [name: string, look: keyof typeof looks, value: (row: Row, t: T) => Cell][]
}
type T = (key: string) => string

const instant = (at: string | null | undefined): Cell => (at ? { at: Date.parse(at) } : null)
/** Minutes, to a tenth. */
const minutes = (ms: number) => Math.round(ms / 6_000) / 10
const rounded = (value: number | null | undefined) => (value == null ? null : Math.round(value * 1000) / 1000)
const verdict = (t: T, of: string) => t(`deviceReports:document.verdict.${of}`)

const stats: DeviceTable<StatedDevice> = {
  rowsOf: (device) => [device],
  columns: [
    ['device', 'text', ({ name }) => name],
    ['tag', 'short', ({ tag }) => tag],
    ['imeis', 'short', ({ imeis }) => imeis.join(' ')],
    ['verdict', 'short', ({ stats: { temperature } }, t) => verdict(t, temperature.verdict)],
    ['readings', 'whole', ({ stats: { temperature } }) => temperature.count],
    [
      'coverage',
      'number',
      ({
        stats: {
          temperature: { coveragePct },
        },
      }) => (coveragePct === null ? null : shownCoverage(coveragePct, 2)),
    ],
    ['min', 'number', ({ stats: { temperature } }) => temperature.min?.value ?? null],
    ['minAt', 'time', ({ stats: { temperature } }) => instant(temperature.min?.at)],
    ['max', 'number', ({ stats: { temperature } }) => temperature.max?.value ?? null],
    ['maxAt', 'time', ({ stats: { temperature } }) => instant(temperature.max?.at)],
    ['average', 'number', ({ stats: { temperature } }) => rounded(temperature.average)],
    ['mkt', 'number', ({ stats: { temperature } }) => rounded(temperature.mkt?.valueC)],
    ['above', 'number', ({ stats: { temperature } }) => minutes(temperature.aboveMs)],
    ['below', 'number', ({ stats: { temperature } }) => minutes(temperature.belowMs)],
    ['excursions', 'whole', ({ stats: { temperature } }) => temperature.excursions.count],
    [
      'humidityVerdict',
      'short',
      ({ stats: { humidity } }, t) => (humidity.count > 0 ? verdict(t, humidity.verdict) : null),
    ],
    ['humidityMin', 'number', ({ stats: { humidity } }) => humidity.min?.value ?? null],
    ['humidityMax', 'number', ({ stats: { humidity } }) => humidity.max?.value ?? null],
    ['humidityAverage', 'number', ({ stats: { humidity } }) => rounded(humidity.average)],
  ],
}

const excursions: DeviceTable<Excursion> = {
  rowsOf: (device) => device.excursions,
  columns: [
    ['device', 'text', ({ deviceName }) => deviceName],
    ['what', 'text', ({ measure, side }, t) => t(`deviceReports:document.excursions.${measure}.${side}`)],
    ['start', 'time', ({ startAt }) => instant(startAt)],
    ['end', 'time', ({ endAt }) => instant(endAt)],
    ['minutes', 'number', ({ durationMs }) => minutes(durationMs)],
    ['limit', 'number', ({ limit }) => limit],
    ['peak', 'number', ({ peak }) => peak],
    ['peakAt', 'time', ({ peakAt }) => instant(peakAt)],
    ['area', 'number', ({ degreeMinutes }) => degreeMinutes],
  ],
}

const alarms: DeviceTable<ReportAlarm> = {
  rowsOf: (device) => device.alarms,
  columns: [
    ['device', 'text', ({ device }) => device],
    ['alarm', 'text', ({ alarm }) => alarm],
    [
      'condition',
      'text',
      ({ condition, fence }, t) => [t(`reports:condition.${condition}`), fence].filter(Boolean).join(' '),
    ],
    ['severity', 'short', ({ severity }, t) => t(`triggers:severity.${severity}`)],
    ['opened', 'time', ({ openedAt }) => instant(openedAt)],
    ['normal', 'time', ({ normalAt }) => instant(normalAt)],
    ['limit', 'number', ({ limit }) => limit],
    ['peak', 'number', ({ peak }) => peak],
    ['state', 'short', ({ state }, t) => t(`triggers:state.${state}`)],
    ['acknowledgedBy', 'text', ({ acknowledgedBy }) => acknowledgedBy],
    ['resolvedBy', 'text', ({ resolvedBy }) => resolvedBy],
    ['note', 'text', ({ note }) => note],
  ],
}

export const deviceTables = { stats, excursions, alarms }

export const headsOf = <Row>(locale: Locale, zone: string, { columns }: DeviceTable<Row>): Head[] =>
  columns.map(([column, look]) => ({ header: translate(locale, `reports:table.${column}`, { zone }), ...looks[look] }))

const cellsOf = <Row>(locale: Locale, { columns }: DeviceTable<Row>, rows: readonly Row[]): Cell[][] => {
  const t = (key: string) => translate(locale, key)
  return rows.map((row) => columns.map(([, , value]) => value(row, t)))
}

export const rowsOf = <Row>(locale: Locale, table: DeviceTable<Row>, device: TabledDevice): Cell[][] =>
  cellsOf(locale, table, table.rowsOf(device))

interface Place {
  locale: Locale
  zone: string
}
const tableOf = <Row>({ locale, zone }: Place, name: string, table: DeviceTable<Row>, rows: readonly Row[]): Table => ({
  name: translate(locale, `reports:contents.${name}`),
  heads: headsOf(locale, zone, table),
  rows: [cellsOf(locale, table, rows)],
})

/** A row of figures for each device. */
export const statsTable = (place: Place, devices: readonly StatedDevice[]) => tableOf(place, 'stats', stats, devices)
/** A row for each alarm that fired. */
export const alarmsTable = (place: Place, fired: readonly ReportAlarm[]) => tableOf(place, 'alarms', alarms, fired)
