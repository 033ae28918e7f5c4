import { type Ended, emptyWatch, endSilence, keyOf, type WatchedReading, watch } from '../../domain/alarm-watch.ts'
import type { Batch } from '../batch.ts'
import type { DeviceState } from './device-state.ts'
import { type FiringRow, firingColumns, firingOf, holdAt } from './load-alarms.ts'
import { noteTriggers, type Stored, storedOf } from './trigger-changes.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const pastSql = `
select ${firingColumns} from alarm_triggers t
where t.company_id = $1 and t.device_id = $2 and t.condition <> 'noData' and t.withdrawn_at is null
  and (t.normal_at is null or t.normal_at >= $3::timestamptz)`
const readingsSql = `
select ${ms('measured_at')} as at, temperature_centi as temperature, humidity_centi as humidity, battery_pct * 100 as battery,
  lat_e7 as lat, lon_e7 as lon, coalesce((extra ->> 'accuracyM')::float8, 0) as "accuracyM"
from readings where company_id = $1 and device_id = $2 and measured_at >= $3::timestamptz and measured_at <= $4::timestamptz
order by measured_at`

type ReadingRow = Omit<WatchedReading, 'fix'> & { lat: number | null; lon: number | null; accuracyM: number }

/**
 * Judges a device's past again from the raw rows, which have the late readings already: from before anything they may have
 * changed up to the newest reading, which takes the place of judging that in order.
 */
export async function replayAlarms(
  batch: Batch,
  state: DeviceState,
  firstAt: number,
  lastAt: number,
  ended: Ended[],
): Promise<void> {
  const { device } = state
  const keys = [device.companyId, device.id] as const
  const longestMs = Math.max(
    0,
    ...device.alarms.flatMap(({ conditions }) => conditions.map((one) => ('delayMs' in one ? one.delayMs : 0))),
  )
  // What ended before it held no longer when the first late reading was measured.
  const touched = firstAt - holdAt(state, firstAt)
  const past = await batch.client.query<FiringRow>({
    name: 'past_triggers',
    text: pastSql,
    values: [...keys, new Date(touched)],
  })
  const stored: Stored[] = past.rows.map((row) => ({
    key: keyOf(row.alarmId, row.condition),
    id: row.id,
    firing: firingOf(row, null),
  }))
  const from = Math.min(touched, ...stored.map(({ firing }) => firing.breachAt)) - longestMs - holdAt(state, firstAt)
  const until = Math.max(lastAt, state.tailAt)
  const { rows } = await batch.client.query<ReadingRow>({
    name: 'alarm_readings',
    text: readingsSql,
    values: [...keys, new Date(from), new Date(until)],
  })
  const again = emptyWatch()
  const found: Ended[] = []
  watch(device.alarms, again, rows.map(readingOf), (at) => holdAt(state, at), found)
  const silent = storedOf(state).filter(({ key }) => key.endsWith('/noData'))
  for (const { key } of silent) {
    const firing = state.alarms.watch.firings.get(key)
    if (firing) again.firings.set(key, firing)
  }
  if (state.latest.measuredAt === null || lastAt > state.latest.measuredAt)
    endSilence(device.alarms, again, lastAt, ended)
  for (const [fence, side] of state.alarms.watch.sides) if (!again.sides.has(fence)) again.sides.set(fence, side)
  state.alarms.watch = again
  const concerned = found.filter(({ firing }) => (firing.normalAt ?? Number.POSITIVE_INFINITY) >= touched)
  noteTriggers(batch, state, [...stored, ...silent], [...ended, ...concerned], { isReplay: true })
}

const readingOf = ({ at, temperature, humidity, battery, lat, lon, accuracyM }: ReadingRow): WatchedReading => ({
  at,
  temperature,
  humidity,
  battery,
  fix: lat === null || lon === null ? null : { at, lat: lat / 1e7, lon: lon / 1e7, accuracyM },
})
