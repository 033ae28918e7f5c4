import type { Transform } from 'node:stream'
import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { writeXlsxStream } from 'hucre/xlsx'
import { translate } from '../../../platform/i18n/i18n.ts'
import { drained } from '../../../reporting/drained.ts'
import type { openSnapshot, Row } from '../../../reporting/readings.ts'
import { clockOf } from '../../../reporting/zone.ts'
import { type Cell, columnsOf } from './columns.ts'
import { csvOf } from './csv.ts'
import { judgeBy } from './judge.ts'
import type { DeviceDetail, Part, RunOrder } from './order.ts'

type ReportDevice = Pick<DeviceDetail, 'deviceId' | 'name' | 'imeis' | 'until' | 'rules'>

const names = [
  ['device', 'text'],
  ['time', 'time'],
  ['utc', 'time'],
  ['temperature', 'number'],
  ['temperatureState', 'short'],
  ['humidity', 'number'],
  ['humidityState', 'short'],
  ['battery', 'whole'],
  ['light', 'whole'],
  ['latitude', 'place'],
  ['longitude', 'place'],
  ['received', 'time'],
] as const

/** The readings of every device, one after the other: a stream, however many. */
export async function readingsFiles(
  order: RunOrder,
  snapshot: Awaited<ReturnType<typeof openSnapshot>>,
  devices: readonly ReportDevice[],
  files: readonly { part: Part; format: ReportFormat; file: { stream: Transform } }[],
  onShare: (share: number) => void,
): Promise<void> {
  const columns = columnsOf(order, names)
  const wanted = files.filter(({ part }) => part === 'readings')
  for (const [index, { format, file }] of wanted.entries()) {
    const rows = rowsOf(order, snapshot, devices, (share) => onShare((index + share) / wanted.length))
    if (format === 'csv') {
      const add = csvOf(file.stream, columns, order.zone)
      for await (const some of rows) await add(some.map(isoUtc))
      continue
    }
    const clock = clockOf(order.zone)
    const shown = (cell: Cell) => (cell !== null && typeof cell === 'object' ? new Date(clock.wallMs(cell.at)) : cell)
    async function* cells() {
      for await (const some of rows)
        for (const row of some) yield row.map((cell, at) => (utc.has(at) ? date(cell) : shown(cell)))
    }
    const name = translate(order.locale, 'reports:contents.readings').slice(0, 31)
    for await (const chunk of writeXlsxStream(cells(), { name, columns, freezePane: { rows: 1 } }))
      await drained(file.stream, chunk)
  }
}

// The columns that tell UTC, whatever the zone.
const utc = new Set(names.flatMap(([name], index) => (name === 'utc' || name === 'received' ? [index] : [])))
const date = (cell: Cell) => (cell !== null && typeof cell === 'object' ? new Date(cell.at) : cell)
const isoUtc = (row: Cell[]): Cell[] =>
  row.map((cell, at) =>
    utc.has(at) && cell !== null && typeof cell === 'object' ? new Date(cell.at).toISOString() : cell,
  )

async function* rowsOf(
  order: RunOrder,
  snapshot: Awaited<ReturnType<typeof openSnapshot>>,
  devices: readonly ReportDevice[],
  onShare: (share: number) => void,
): AsyncGenerator<Cell[][]> {
  const word = (key: string) => translate(order.locale, `deviceReports:table.states.${key}`)
  const words = { above: word('above'), below: word('below'), inRange: word('inRange') }
  const from = Date.parse(order.period.from)
  for (const [index, { deviceId, name, until, rules }] of devices.entries()) {
    const judge = judgeBy(rules)
    const state = (measure: 'temperature' | 'humidity', { at, [measure]: value }: Row) => {
      const judged = judge(measure, value, at)
      return judged && words[judged]
    }
    for await (const rows of snapshot.rows(deviceId, from, until))
      yield rows.map((row) => [
        name,
        { at: row.at },
        { at: row.at },
        scaled(row.temperature, 100),
        state('temperature', row),
        scaled(row.humidity, 100),
        state('humidity', row),
        row.battery,
        row.light,
        scaled(row.lat, 1e7),
        scaled(row.lon, 1e7),
        { at: row.receivedAt },
      ])
    onShare((index + 1) / devices.length)
  }
}

const scaled = (value: number | null, by: number) => (value === null ? null : value / by)
