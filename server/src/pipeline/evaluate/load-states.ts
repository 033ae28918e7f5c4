import type { Excursion } from '../../domain/excursion.ts'
import type { Held, Measure } from '../../domain/measures.ts'
import type { Rollup } from '../../domain/rollup.ts'
import { differFrom, ruleAt } from '../../domain/rules.ts'
import { emptySeries, type SeriesState } from '../../domain/series.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import type { JudgedBy, Memory } from '../lane-context.ts'
import { numbers } from '../store/pg-arrays.ts'
import { type DeviceState, type Latest, noAlarms, noLatest } from './device-state.ts'
import { loadAlarms, restoreAlarms } from './load-alarms.ts'
import { loadOutside, restoreOutside } from './load-outside.ts'

const ms = (column: string, name: string) => `(extract(epoch from ${column}) * 1000)::float8 as "${name}"`
const hour = (column: string) => `date_bin('1 hour', ${column}, 'epoch')`
const rollup = (table: string, measure: Measure) => `
  ${table}.${measure}_n as "${measure}N", ${table}.${measure}_min_centi as "${measure}Min",
  ${table}.${measure}_max_centi as "${measure}Max", ${table}.${measure}_sum_centi::float8 as "${measure}Sum",
  ${table}.${measure}_covered_ms::float8 as "${measure}Covered", ${table}.${measure}_gap_ms::float8 as "${measure}Gap",
  ${ms(`${table}.bucket`, `${measure}Bucket`)}`

const latestSql = `
select l.company_id || ':' || l.device_id as key, ${ms('l.measured_at', 'measuredAt')}, ${ms('l.received_at', 'receivedAt')},
  l.temperature_centi as "temperatureCenti", ${ms('l.temperature_at', 'temperatureAt')},
  l.humidity_centi as "humidityCenti", ${ms('l.humidity_at', 'humidityAt')},
  l.light_lux as "lightLux", ${ms('l.light_at', 'lightAt')}, l.battery_pct as "batteryPct", ${ms('l.battery_at', 'batteryAt')},
  l.lat_e7 as "latE7", l.lon_e7 as "lonE7", l.accuracy_m as "accuracyM", ${ms('l.position_at', 'positionAt')},
  l.clock_ahead_s as "clockAheadS", ${ms('l.clock_ahead_at', 'clockAheadAt')},
  l.temperature_tail_centi as "temperatureTail", ${ms('l.temperature_tail_at', 'temperatureTailAt')},
  l.humidity_tail_centi as "humidityTail", ${ms('l.humidity_tail_at', 'humidityTailAt')},
  ${rollup('t', 'temperature')}, t.temperature_spoil_sum as "spoilSum", ${rollup('h', 'humidity')}
from unnest($1::int4[], $2::int4[]) as wanted (company_id, device_id)
join device_latest l using (company_id, device_id)
left join readings_hourly t on t.company_id = l.company_id and t.device_id = l.device_id
  and t.bucket = ${hour('l.temperature_tail_at')}
left join readings_hourly h on h.company_id = l.company_id and h.device_id = l.device_id
  and h.bucket = ${hour('l.humidity_tail_at')}`

export const excursionColumns = `
  measure, side, readings, ended_by as "endedBy", ${ms('start_at', 'startAt')}, ${ms('end_at', 'endAt')},
  ${ms('last_at', 'lastAt')}, last_deviation_centi as "lastDeviation", last_hold_ms::float8 as "lastHoldMs",
  peak_centi as "peak", ${ms('peak_at', 'peakAt')}, centi_ms::float8 as "centiMs"`

const openSql = `
select company_id || ':' || device_id as key, ${excursionColumns}
from unnest($1::int4[], $2::int4[]) as wanted (company_id, device_id)
join excursions using (company_id, device_id) where end_at is null`

interface StateRow extends Latest {
  key: string
  temperatureTail: number | null
  temperatureTailAt: number | null
  humidityTail: number | null
  humidityTailAt: number | null
  temperatureN: number
  temperatureMin: number
  temperatureMax: number
  temperatureSum: number
  temperatureCovered: number
  temperatureGap: number
  temperatureBucket: number
  spoilSum: number
  humidityN: number
  humidityMin: number
  humidityMax: number
  humiditySum: number
  humidityCovered: number
  humidityGap: number
  humidityBucket: number
}

type OpenRow = Excursion & { key: string; measure: Measure }

/** Fills `batch.states`: what the lane remembers, and the rest from the tables. */
export async function loadStates(
  batch: Batch,
  { states, judgedBy }: Pick<Memory, 'states' | 'judgedBy'>,
): Promise<void> {
  const missing = new Map<string, Device>()
  for (const { device } of [...batch.rows, ...batch.windows, ...batch.ticks]) {
    if (batch.states.has(device.key) || missing.has(device.key)) continue
    const state = states.get(device.key)
    if (state) batch.states.set(device.key, withDevice(state, device))
    else missing.set(device.key, device)
  }
  if (missing.size === 0) return
  const devices = [...missing.values()]
  const values = [numbers('int4', devices, (row) => row.companyId), numbers('int4', devices, (row) => row.id)]
  const [latest, open, alarms, outside] = await Promise.all([
    batch.client.query<StateRow>({ name: 'load_states', text: latestSql, values }),
    batch.client.query<OpenRow>({ name: 'load_open', text: openSql, values }),
    loadAlarms(batch, devices),
    loadOutside(batch, devices),
  ])
  for (const device of devices)
    batch.states.set(device.key, {
      device,
      tailAt: Number.NEGATIVE_INFINITY,
      latest: { ...noLatest },
      series: { temperature: emptySeries, humidity: emptySeries },
      alarms: alarmsBy(judgedBy.get(device.key)),
    })
  for (const row of latest.rows) {
    const state = batch.states.get(row.key)
    if (state) restore(state, row, open.rows)
  }
  restoreAlarms(batch, alarms)
  restoreOutside(batch.states, outside)
}

function alarmsBy(judged: JudgedBy | undefined): DeviceState['alarms'] {
  const { records, judgedUntil } = judged ?? noAlarms()
  return { ...noAlarms(), records, judgedUntil }
}

function withDevice(state: DeviceState, device: Device): DeviceState {
  state.device = device
  return state
}

/** New rules may reach back to readings that are here already, those of a clock that is a little ahead. */
export function findChangedRules(batch: Batch, { judgedBy }: Pick<Memory, 'judgedBy'>): void {
  for (const [key, { device, tailAt }] of batch.states) {
    const before = judgedBy.get(key)?.device
    if (!before || before === device) continue
    const from = differFrom(before.rules, device.rules)
    if (from !== null && Number.isFinite(from) && from <= tailAt) batch.windows.push({ device, from, to: tailAt })
  }
}

function restore(state: DeviceState, row: StateRow, open: readonly OpenRow[]) {
  const tails = [row.measuredAt, row.temperatureTailAt, row.humidityTailAt]
  state.tailAt = Math.max(...tails.map((at) => at ?? Number.NEGATIVE_INFINITY))
  for (const key of Object.keys(noLatest) as (keyof Latest)[]) state.latest[key] = row[key]
  const openOf = (measure: Measure) => {
    const found = open.find((other) => other.key === row.key && other.measure === measure)
    return found ? excursionOf(found) : null
  }
  state.series = {
    temperature: series(
      tailOf(state, 'temperature', row.temperatureTailAt, row.temperatureTail),
      openOf('temperature'),
      {
        bucket: row.temperatureBucket,
        n: row.temperatureN,
        min: row.temperatureMin,
        max: row.temperatureMax,
        sum: row.temperatureSum,
        coveredMs: row.temperatureCovered,
        gapMs: row.temperatureGap,
        spoilSum: row.spoilSum,
      },
    ),
    humidity: series(tailOf(state, 'humidity', row.humidityTailAt, row.humidityTail), openOf('humidity'), {
      bucket: row.humidityBucket,
      n: row.humidityN,
      min: row.humidityMin,
      max: row.humidityMax,
      sum: row.humiditySum,
      coveredMs: row.humidityCovered,
      gapMs: row.humidityGap,
      spoilSum: 0,
    }),
  }
}

function tailOf({ device }: DeviceState, measure: Measure, at: number | null, value: number | null): Held | null {
  return at === null || value === null ? null : { at, value, holdMs: ruleAt(device.rules[measure], at).holdMs }
}

const series = (tail: Held | null, open: Excursion | null, rollup: Rollup): SeriesState =>
  tail ? { tail, rollup, open } : emptySeries

/** An excursion as read with `excursionColumns`, without the columns around it. */
export const excursionOf = (row: Excursion): Excursion => ({
  side: row.side,
  startAt: row.startAt,
  lastAt: row.lastAt,
  lastDeviation: row.lastDeviation,
  lastHoldMs: row.lastHoldMs,
  readings: row.readings,
  peak: row.peak,
  peakAt: row.peakAt,
  centiMs: row.centiMs,
  endAt: row.endAt,
  endedBy: row.endedBy,
})
