import type { Writable } from 'node:stream'
import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { type Cell, type Table, timeFormat, writeCsv } from '../../../reporting/tables.ts'
import { writeBook } from '../../../reporting/xlsx.ts'
import { type DeviceDetail, maxLines, type Part, type ReportAlarm, type RunOrder } from './order.ts'

const looks = {
  text: { width: 26 },
  short: { width: 16 },
  time: { width: 21, numFmt: timeFormat },
  number: { width: 14, numFmt: '0.00' },
  whole: { width: 12, numFmt: '0' },
} as const

/** A table of a run: what rows a device has, and what they tell. */
interface RunTable<Row> {
  rowsOf(device: DeviceDetail): readonly Row[]
  /** By names below `reports:table`. */
  columns: [name: string, look: keyof typeof looks, value: (row: Row, device: DeviceDetail, t: T) => Cell][]
}
type T = (key: string) => string

const instant = (at: string | null | undefined): Cell => (at ? { at: Date.parse(at) } : null)
/** Minutes, to a tenth. */
const minutes = (ms: number) => Math.round(ms / 6_000) / 10
const rounded = (value: number | null | undefined) => (value == null ? null : Math.round(value * 1000) / 1000)
const verdict = (t: T, of: string) => t(`deviceReports:document.verdict.${of}`)

const stats: RunTable<DeviceDetail['stats']> = {
  rowsOf: (device) => [device.stats],
  columns: [
    ['device', 'text', (_, { name }) => name],
    ['tag', 'short', (_, { tag }) => tag],
    ['imeis', 'short', (_, { imeis }) => imeis.join(' ')],
    ['verdict', 'short', ({ temperature }, _, t) => verdict(t, temperature.verdict)],
    ['readings', 'whole', ({ temperature }) => temperature.count],
    [
      'coverage',
      'number',
      ({ temperature: { coveragePct } }) => (coveragePct === null ? null : Math.floor(coveragePct * 100) / 100),
    ],
    ['min', 'number', ({ temperature }) => temperature.min?.value ?? null],
    ['minAt', 'time', ({ temperature }) => instant(temperature.min?.at)],
    ['max', 'number', ({ temperature }) => temperature.max?.value ?? null],
    ['maxAt', 'time', ({ temperature }) => instant(temperature.max?.at)],
    ['average', 'number', ({ temperature }) => rounded(temperature.average)],
    ['mkt', 'number', ({ temperature }) => rounded(temperature.mkt?.valueC)],
    ['above', 'number', ({ temperature }) => minutes(temperature.aboveMs)],
    ['below', 'number', ({ temperature }) => minutes(temperature.belowMs)],
    ['excursions', 'whole', ({ temperature }) => temperature.excursions.count],
    ['humidityVerdict', 'short', ({ humidity }, _, t) => (humidity.count > 0 ? verdict(t, humidity.verdict) : null)],
    ['humidityMin', 'number', ({ humidity }) => humidity.min?.value ?? null],
    ['humidityMax', 'number', ({ humidity }) => humidity.max?.value ?? null],
    ['humidityAverage', 'number', ({ humidity }) => rounded(humidity.average)],
  ],
}

const excursions: RunTable<Excursion> = {
  rowsOf: (device) => device.excursions,
  columns: [
    ['device', 'text', (_, { name }) => name],
    ['what', 'text', ({ measure, side }, _, t) => t(`deviceReports:document.excursions.${measure}.${side}`)],
    ['start', 'time', ({ startAt }) => instant(startAt)],
    ['end', 'time', ({ endAt }) => instant(endAt)],
    ['minutes', 'number', ({ durationMs }) => minutes(durationMs)],
    ['limit', 'number', ({ limit }) => limit],
    ['peak', 'number', ({ peak }) => peak],
    ['peakAt', 'time', ({ peakAt }) => instant(peakAt)],
    ['area', 'number', ({ degreeMinutes }) => degreeMinutes],
  ],
}

const alarms: RunTable<ReportAlarm> = {
  rowsOf: (device) => device.alarms,
  columns: [
    ['device', 'text', (_, { name }) => name],
    ['alarm', 'text', ({ alarm }) => alarm],
    [
      'condition',
      'text',
      ({ condition, fence }, _, t) => [t(`reports:condition.${condition}`), fence].filter(Boolean).join(' '),
    ],
    ['severity', 'short', ({ severity }, _, t) => t(`triggers:severity.${severity}`)],
    ['opened', 'time', ({ openedAt }) => instant(openedAt)],
    ['normal', 'time', ({ normalAt }) => instant(normalAt)],
    ['limit', 'number', ({ limit }) => limit],
    ['peak', 'number', ({ peak }) => peak],
    ['state', 'short', ({ state }, _, t) => t(`triggers:state.${state}`)],
    ['acknowledgedBy', 'text', ({ acknowledgedBy }) => acknowledgedBy],
    ['resolvedBy', 'text', ({ resolvedBy }) => resolvedBy],
    ['note', 'text', ({ note }) => note],
  ],
}

/** The rows of a table so far, of which no more are kept than a file has. */
function openTable<Row>({ locale, zone }: RunOrder, name: string, { rowsOf, columns }: RunTable<Row>) {
  const t = (key: string) => translate(locale, key)
  const rows: Cell[][] = []
  let leftOut = 0
  return {
    add(device: DeviceDetail) {
      const more = rowsOf(device)
      const kept = more.slice(0, Math.max(0, maxLines.ofTable - rows.length))
      rows.push(...kept.map((row) => columns.map(([, , value]) => value(row, device, t))))
      leftOut += more.length - kept.length
    },
    table(): Table {
      const heads = columns.map(([column, look]) => ({
        header: translate(locale, `reports:table.${column}`, { zone }),
        ...looks[look],
      }))
      const number = new Intl.NumberFormat(locale).format(leftOut)
      const last = [translate(locale, 'reports:document.leftOut', { number }), ...heads.slice(1).map(() => null)]
      return { name: t(`reports:contents.${name}`), heads, rows: [leftOut > 0 ? [...rows, last] : rows] }
    },
  }
}

/** The tables but the readings: a row per device, excursion or alarm, kept until all devices are known. */
export function openTables(order: RunOrder) {
  const all = {
    stats: openTable(order, 'stats', stats),
    excursions: openTable(order, 'excursions', excursions),
    alarms: openTable(order, 'alarms', alarms),
  }
  const chosen = Object.entries(all).filter(([name]) => order.contents.includes(name as keyof typeof all))
  return {
    add(device: DeviceDetail) {
      for (const [, table] of chosen) table.add(device)
    },
    /** One table as CSV, or all of them as the sheets of a book. */
    async write(out: Writable, part: Part, format: ReportFormat) {
      const [own] = chosen.filter(([name]) => name === part)
      if (format === 'csv' && own) await writeCsv(out, own[1].table(), order.zone)
      else
        await writeBook(
          out,
          chosen.map(([, table]) => table.table()),
          order.zone,
        )
    },
  }
}
