import type { Writable } from 'node:stream'
import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { type Cell, type Head, type Table, writeCsv } from '../../../reporting/tables.ts'
import { writeBook } from '../../../reporting/xlsx.ts'
import { columnsOf, instantCell, minutesCell } from './columns.ts'
import { type DeviceDetail, maxLines, type Part, type RunOrder } from './order.ts'

type Name = 'stats' | 'excursions' | 'alarms'
const names = ['stats', 'excursions', 'alarms'] as const

/** The tables but the readings: a row per device, excursion or alarm, kept until all devices are known. */
export function openTables(order: RunOrder) {
  const { locale, contents, zone } = order
  const chosen = names.filter((name) => contents.includes(name))
  const rows: Record<Name, Cell[][]> = { stats: [], excursions: [], alarms: [] }
  const heads: Record<Name, Head[]> = {
    stats: columnsOf(order, statsColumns),
    excursions: columnsOf(order, excursionColumns),
    alarms: columnsOf(order, alarmColumns),
  }
  const t = (key: string) => translate(locale, key)
  const leftOut: Record<Name, number> = { stats: 0, excursions: 0, alarms: 0 }
  const keep = (name: Name, more: Cell[][]) => {
    const kept = more.slice(0, Math.max(0, maxLines.ofTable - rows[name].length))
    rows[name].push(...kept)
    leftOut[name] += more.length - kept.length
  }
  const linesOf = (name: Name): Cell[][] => {
    if (leftOut[name] === 0) return rows[name]
    const number = new Intl.NumberFormat(locale).format(leftOut[name])
    return [
      ...rows[name],
      [translate(locale, 'reports:document.leftOut', { number }), ...heads[name].slice(1).map(() => null)],
    ]
  }
  const tableOf = (name: Name): Table => ({
    name: t(`reports:contents.${name}`),
    heads: heads[name],
    rows: [linesOf(name)],
  })
  return {
    add(device: DeviceDetail) {
      if (chosen.includes('stats')) rows.stats.push(statsRow(t, device))
      if (chosen.includes('excursions')) keep('excursions', excursionRows(t, device))
      if (chosen.includes('alarms')) keep('alarms', alarmRows(t, device))
    },
    /** One table as CSV, or all of them as the sheets of a book. */
    async write(out: Writable, part: Part, format: ReportFormat) {
      const name = names.find((each) => each === part)
      if (format === 'csv' && name) await writeCsv(out, tableOf(name), zone)
      else await writeBook(out, chosen.map(tableOf), zone)
    },
  }
}

type T = (key: string) => string

const statsColumns = [
  ['device', 'text'],
  ['tag', 'short'],
  ['imeis', 'short'],
  ['verdict', 'short'],
  ['readings', 'whole'],
  ['coverage', 'number'],
  ['min', 'number'],
  ['minAt', 'time'],
  ['max', 'number'],
  ['maxAt', 'time'],
  ['average', 'number'],
  ['mkt', 'number'],
  ['above', 'number'],
  ['below', 'number'],
  ['excursions', 'whole'],
  ['humidityVerdict', 'short'],
  ['humidityMin', 'number'],
  ['humidityMax', 'number'],
  ['humidityAverage', 'number'],
] as const

function statsRow(t: T, { name, tag, imeis, stats }: DeviceDetail): Cell[] {
  const { temperature, humidity } = stats
  const hasHumidity = humidity.count > 0
  const verdict = (of: string) => t(`deviceReports:document.verdict.${of}`)
  return [
    name,
    tag,
    imeis.join(' '),
    verdict(temperature.verdict),
    temperature.count,
    temperature.coveragePct === null ? null : Math.floor(temperature.coveragePct * 100) / 100,
    temperature.min?.value ?? null,
    instantCell(temperature.min?.at ?? null),
    temperature.max?.value ?? null,
    instantCell(temperature.max?.at ?? null),
    rounded(temperature.average),
    rounded(temperature.mkt?.valueC ?? null),
    minutesCell(temperature.aboveMs),
    minutesCell(temperature.belowMs),
    temperature.excursions.count,
    hasHumidity ? verdict(humidity.verdict) : null,
    humidity.min?.value ?? null,
    humidity.max?.value ?? null,
    rounded(humidity.average),
  ]
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000)

const excursionColumns = [
  ['device', 'text'],
  ['what', 'text'],
  ['start', 'time'],
  ['end', 'time'],
  ['minutes', 'number'],
  ['limit', 'number'],
  ['peak', 'number'],
  ['peakAt', 'time'],
  ['area', 'number'],
] as const

const excursionRows = (t: T, { name, excursions }: DeviceDetail): Cell[][] =>
  excursions.map((one) => [
    name,
    t(`deviceReports:document.excursions.${one.measure}.${one.side}`),
    instantCell(one.startAt),
    instantCell(one.endAt),
    minutesCell(one.durationMs),
    one.limit,
    one.peak,
    instantCell(one.peakAt),
    one.degreeMinutes,
  ])

const alarmColumns = [
  ['device', 'text'],
  ['alarm', 'text'],
  ['condition', 'text'],
  ['severity', 'short'],
  ['opened', 'time'],
  ['normal', 'time'],
  ['limit', 'number'],
  ['peak', 'number'],
  ['state', 'short'],
  ['acknowledgedBy', 'text'],
  ['resolvedBy', 'text'],
  ['note', 'text'],
] as const

const alarmRows = (t: T, { name, alarms }: DeviceDetail): Cell[][] =>
  alarms.map((one) => [
    name,
    one.alarm,
    [t(`reports:condition.${one.condition}`), one.fence].filter(Boolean).join(' '),
    t(`triggers:severity.${one.severity}`),
    instantCell(one.openedAt),
    instantCell(one.normalAt),
    one.limit,
    one.peak,
    t(`triggers:state.${one.state}`),
    one.acknowledgedBy,
    one.resolvedBy,
    one.note,
  ])
