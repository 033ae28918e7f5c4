import { isText } from '../../core/alarms/trigger-sql.ts'
import { fixAccuracySql } from '../../core/devices/fix-accuracy.ts'
import { confirm } from '../../domain/alarm-firing.ts'
import { isTotal } from '../../domain/alarm-total.ts'
import { type Ended, emptyWatch, type WatchedReading, type WatchState, watch } from '../../domain/alarm-watch.ts'
import { dayMs } from '../../domain/outside-time.ts'
import type { Crossing } from '../../domain/place-crossings.ts'
import { keyOf, type WatchedAlarm } from '../../domain/watched-alarm.ts'
import { inTurns } from '../../platform/loop/turns.ts'
import { type Batch, noteJudgedAgain } from '../batch.ts'
import type { DeviceState } from './device-state.ts'
import { type FiringRow, firingColumns, firingOf, holdAt } from './load-alarms.ts'
import { watchesFences } from './load-fixes.ts'
import { noteLateCrossings } from './note-crossings.ts'
import { type Stored, storedOf } from './trigger-changes.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** A record may have run for long: its readings are read and judged in parts, so that others get their turn. */
const pageSize = 20_000
// Places with many corners make a single reading cost a tenth of a millisecond.
const maxPerTurn = 8

const pastSql = `
select ${firingColumns} from alarm_triggers t
where t.company_id = $1 and t.device_id = $2 and t.condition <> 'noData' and ${isText('notWithdrawn')}
  and coalesce(t.normal_at >= $3::timestamptz, true)`
const readingsSql = `
select ${ms('measured_at')} as at, temperature_centi as temperature, humidity_centi as humidity, battery_pct * 100 as battery,
  lat_e7 as lat, lon_e7 as lon, ${fixAccuracySql('extra')} as "accuracyM"
from readings where company_id = $1 and device_id = $2 and measured_at >= $3::timestamptz and measured_at <= $4::timestamptz
order by measured_at limit ${pageSize}`
const fixesSql = `
select * from (
  select ${ms('measured_at')} as at, null as temperature, null as humidity, null as battery,
    lat_e7 as lat, lon_e7 as lon, ${fixAccuracySql('extra')} as "accuracyM"
  from readings where company_id = $1 and device_id = $2 and measured_at < $3::timestamptz and lat_e7 is not null
  order by measured_at desc limit 20) t
order by at`

type ReadingRow = Omit<WatchedReading, 'fix'> & { lat: number | null; lon: number | null; accuracyM: number }

/**
 * Judges a device's past again from the raw rows, which have the late readings already: from before anything they may have
 * changed up to the newest reading, which takes the place of judging that in order. Gives the stored triggers that what
 * was found is to be compared with.
 */
export async function replayAlarms(
  batch: Batch,
  state: DeviceState,
  firstAt: number,
  lastAt: number,
  ended: Ended[],
): Promise<Stored[]> {
  const { device, alarms } = state
  const keys = [device.companyId, device.id] as const
  const holdMs = holdAt(state, firstAt)
  // A firing that ended before no longer held when the first late reading was measured.
  const touched = firstAt - holdMs
  const past = await batch.client.query<FiringRow>({
    name: 'past_triggers',
    text: pastSql,
    values: [...keys, new Date(touched)],
  })
  const again = emptyWatch()
  const stored = past.rows.map(storedRow).filter((one) => isConcerned(device.alarms, one, again))
  const longestMs = Math.max(
    0,
    ...device.alarms.flatMap(({ conditions }) => conditions.map((one) => ('delayMs' in one ? one.delayMs : 0))),
    ...device.alarms.flatMap(({ conditions }) => conditions.map((one) => (isTotal(one) ? dayMs : 0))),
  )
  const began = Math.min(touched, ...stored.map(({ firing }) => firing.breachAt)) - longestMs - holdMs
  // A record counts from its beginning.
  const from = Math.min(began, ...device.records.filter(({ to }) => to >= touched).map((record) => record.from))
  const query = (name: string, text: string, since: number, ...more: Date[]) =>
    batch.client.query<ReadingRow>({ name, text, values: [...keys, new Date(since), ...more] })
  const holdOf = (at: number) => holdAt(state, at)
  const places = { watched: device.places, crossings: [] as Crossing[] }
  if (watchesFences(device)) {
    // Where the device was at the beginning: nothing that happened then is told again.
    const { rows } = await query('alarm_fixes', fixesSql, from)
    watch(device.alarms, { ...again, firings: new Map(), totals: new Map() }, rows.map(readingOf), holdOf, [], {
      ...places,
      crossings: [],
    })
  }
  const found: Ended[] = []
  const until = new Date(Math.max(lastAt, state.tailAt))
  for (let since = from; ; ) {
    const { rows } = await query('alarm_readings', readingsSql, since, until)
    noteJudgedAgain(batch, device.companyId, rows.length)
    // The past of a device may be long.
    for await (const some of inTurns(rows, maxPerTurn, batch.turns))
      watch(device.alarms, again, some.map(readingOf), holdOf, found, places)
    if (rows.length < pageSize) break
    since = (rows.at(-1)?.at ?? since) + 1
  }
  await noteLateCrossings(batch, state, places.crossings, from)
  keepOpenedByClock(again, stored, batch.now)
  const silent = storedOf(state).filter(({ key }) => key.endsWith('/noData'))
  for (const { key } of silent) {
    const firing = alarms.watch.firings.get(key)
    if (firing) again.firings.set(key, firing)
  }
  for (const [fence, side] of alarms.watch.sides) if (!again.sides.has(fence)) again.sides.set(fence, { ...side })
  alarms.watch = again
  ended.push(...found.filter(({ firing }) => (firing.normalAt ?? Number.POSITIVE_INFINITY) >= touched))
  return [...stored, ...silent]
}

const storedRow = (row: FiringRow): Stored => ({
  key: keyOf(row.alarmId, row.condition),
  id: row.id,
  firing: firingOf(row, null),
})

/**
 * Whether a replay may change a stored trigger: not what alarms or rules of before have left. What such a rule began and
 * the present one goes on with is put into the state the replay starts from.
 */
function isConcerned(alarms: readonly WatchedAlarm[], { key, firing }: Stored, again: WatchState): boolean {
  const alarm = alarms.find(({ id, conditions }) => conditions.some(({ name }) => keyOf(id, name) === key))
  if (!alarm) return firing.normalAt === null
  if (firing.breachAt >= alarm.from) return true
  if (firing.normalAt !== null && firing.normalAt < alarm.from) return false
  again.firings.set(key, { ...firing, normalAt: null, lastAt: Math.max(firing.lastAt, alarm.from) })
  return true
}

/** A trigger that the clock opened, and still would open, stays open: nobody is notified twice. */
function keepOpenedByClock(again: WatchState, stored: readonly Stored[], now: number) {
  for (const { key, firing } of stored) {
    const found = again.firings.get(key)
    if (!found || firing.openedAt === null || firing.normalAt !== null || found.breachAt > firing.breachAt) continue
    again.firings.set(key, confirm(found, now))
  }
}

const readingOf = ({ at, temperature, humidity, battery, lat, lon, accuracyM }: ReadingRow): WatchedReading => ({
  at,
  temperature,
  humidity,
  battery,
  fix: lat === null || lon === null ? null : { at, lat: lat / 1e7, lon: lon / 1e7, accuracyM },
})
