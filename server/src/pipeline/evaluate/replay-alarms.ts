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
import { type Arrival, DisprovedReadings } from './disproved-readings.ts'
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
select ${ms('measured_at')} as at, ${ms('received_at')} as "receivedAt",
  temperature_centi as temperature, humidity_centi as humidity, battery_pct * 100 as battery,
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

type FixRow = Omit<WatchedReading, 'fix'> & { lat: number | null; lon: number | null; accuracyM: number }
type ReadingRow = FixRow & Arrival

/** The past of a device that is judged again: from its first change to its newest reading, and whether its clock is ahead now. */
interface Past {
  firstAt: number
  lastAt: number
  isAhead: boolean
}

/**
 * Judges a device's past again from the raw rows, which have the late readings already: from before anything they may have
 * changed up to the newest reading, which takes the place of judging that in order. Readings of a clock that was ahead and is right now are left out
 * (`disproved-readings.ts`); triggers that began with them stay as they are. Gives the stored triggers that what was found is to be compared with.
 */
export async function replayAlarms(
  batch: Batch,
  state: DeviceState,
  { firstAt, lastAt, isAhead }: Past,
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
  const query = <T extends FixRow>(name: string, text: string, since: number, ...more: Date[]) =>
    batch.client.query<T>({ name, text, values: [...keys, new Date(since), ...more] })
  const holdOf = (at: number) => holdAt(state, at)
  const places = { watched: device.places, crossings: [] as Crossing[] }
  if (watchesFences(device)) {
    // Where the device was at the beginning: nothing that happened then is told again.
    const { rows } = await query<FixRow>('alarm_fixes', fixesSql, from)
    watch(device.alarms, { ...again, firings: new Map(), totals: new Map() }, rows.map(readingOf), holdOf, [], {
      ...places,
      crossings: [],
    })
  }
  const found: Ended[] = []
  const disproved = new DisprovedReadings()
  const until = new Date(Math.max(lastAt, state.tailAt))
  for (let since = from; ; ) {
    const { rows } = await query<ReadingRow>('alarm_readings', readingsSql, since, until)
    noteJudgedAgain(batch, device.companyId, rows.length)
    // The past of a device may be long.
    for await (const some of inTurns(isAhead ? rows : disproved.leftOut(rows), maxPerTurn, batch.turns))
      watch(device.alarms, again, some.map(readingOf), holdOf, found, places)
    if (rows.length < pageSize) break
    since = (rows.at(-1)?.at ?? since) + 1
  }
  await noteLateCrossings(batch, state, places.crossings, from)
  keepOpenedByClock(again, stored, batch.now)
  const begunWrong = new Set(stored.filter(({ firing }) => disproved.hasBegun(firing.breachAt)))
  keepOpen(again, begunWrong)
  const silent = storedOf(state).filter(({ key }) => key.endsWith('/noData'))
  for (const { key } of silent) {
    const firing = alarms.watch.firings.get(key)
    if (firing) again.firings.set(key, firing)
  }
  for (const [fence, side] of alarms.watch.sides) if (!again.sides.has(fence)) again.sides.set(fence, { ...side })
  alarms.watch = again
  ended.push(...found.filter(({ firing }) => (firing.normalAt ?? Number.POSITIVE_INFINITY) >= touched))
  return [...stored.filter((one) => !begunWrong.has(one) || one.firing.normalAt === null), ...silent]
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

/** A current trigger goes on, unless another one of its alarm takes its place: people were told of an open one. */
function keepOpen(again: WatchState, current: ReadonlySet<Stored>) {
  for (const { key, firing } of current) {
    const found = again.firings.get(key)
    const isReplaced = found && (found.openedAt !== null || firing.openedAt === null)
    if (firing.normalAt === null && !isReplaced) again.firings.set(key, firing)
  }
}

const readingOf = ({ at, temperature, humidity, battery, lat, lon, accuracyM }: FixRow): WatchedReading => ({
  at,
  temperature,
  humidity,
  battery,
  fix: lat === null || lon === null ? null : { at, lat: lat / 1e7, lon: lon / 1e7, accuracyM },
})
