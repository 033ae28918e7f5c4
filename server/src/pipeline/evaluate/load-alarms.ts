import { isText } from '../../core/alarms/trigger-sql.ts'
import type { AlarmMeasure } from '../../domain/alarm-conditions.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import { heldMs, isTotal } from '../../domain/alarm-total.ts'
import { ruleAt } from '../../domain/rules.ts'
import { keyOf } from '../../domain/watched-alarm.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import { numbers } from '../store/pg-arrays.ts'
import type { DeviceState } from './device-state.ts'
import { type FixRow, loadFixes, seenBy } from './load-fixes.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** The columns of a trigger as the engine needs them, of `alarm_triggers t`. */
export const firingColumns = `t.id, t.alarm_id as "alarmId", t.condition, ${ms('t.breach_at')} as "breachAt",
  ${ms('t.due_at')} as "dueAt", ${ms('t.opened_at')} as "openedAt", ${ms('t.normal_at')} as "normalAt",
  t.value, t.peak, ${ms('t.peak_at')} as "peakAt"`

export interface FiringRow {
  id: string
  alarmId: string
  condition: string
  breachAt: number
  dueAt: number
  openedAt: number | null
  normalAt: number | null
  value: number | null
  peak: number | null
  peakAt: number | null
}

type CurrentRow = FiringRow & { key: string }

interface SideRow {
  key: string
  fence: string
  side: 'in' | 'out'
  since: number
}

const currentSql = `
select t.company_id || ':' || t.device_id as key, ${firingColumns}
from unnest($1::int4[], $2::int4[]) as wanted (company_id, device_id)
join alarm_triggers t using (company_id, device_id) where ${isText('current')}`
const sidesSql = `
select company_id || ':' || device_id as key, fence, side, ${ms('since')} as since
from unnest($1::int4[], $2::int4[]) as wanted (company_id, device_id) join alarm_fence_sides using (company_id, device_id)`

export interface LoadedAlarms {
  current: readonly CurrentRow[]
  sides: readonly SideRow[]
  fixes: readonly FixRow[]
}

/** The current triggers, fence sides and newest fixes of devices; also of those that no alarm watches any more. */
export async function loadAlarms(batch: Batch, devices: readonly Device[]): Promise<LoadedAlarms> {
  const { client } = batch
  const values = [numbers('int4', devices, (row) => row.companyId), numbers('int4', devices, (row) => row.id)]
  const [current, sides, fixes] = await Promise.all([
    client.query<CurrentRow>({ name: 'load_triggers', text: currentSql, values }),
    client.query<SideRow>({ name: 'load_sides', text: sidesSql, values }),
    loadFixes(batch, devices),
  ])
  return { current: current.rows, sides: sides.rows, fixes }
}

/** Puts what was loaded into the states, whose newest readings must be there already. */
export function restoreAlarms({ states }: Batch, { current, sides, fixes }: LoadedAlarms): void {
  for (const row of current) {
    const state = states.get(row.key)
    if (!state) continue
    const key = keyOf(row.alarmId, row.condition)
    const last = lastOf(state, row.condition)
    const firing = firingOf(row, last && isCounted(state, row) ? { ...last, holdMs: heldMs(last) } : last)
    state.alarms.stored.set(key, { id: row.id, firing })
    state.alarms.watch.firings.set(key, firing)
  }
  const fixesOf = Map.groupBy(fixes, ({ key }) => key)
  for (const { key, fence, side, since } of sides) {
    const state = states.get(key)
    if (!state) continue
    state.alarms.sides.set(fence, side)
    const last = lastFix(state)
    const fixes = [...(fixesOf.get(key) ?? []), ...(last ? [last] : [])]
    state.alarms.watch.sides.set(fence, { side, fix: seenBy(state, { fence, since }, fixes) })
  }
}

/** Whether a trigger is of a cumulative alarm. */
const isCounted = ({ device }: DeviceState, { alarmId, condition }: FiringRow) =>
  device.alarms.some(
    ({ id, conditions }) => id === alarmId && conditions.some((one) => one.name === condition && isTotal(one)),
  )

export const firingOf = (row: FiringRow, last: { at: number; holdMs: number } | null): Firing => ({
  breachAt: row.breachAt,
  dueAt: row.dueAt,
  openedAt: row.openedAt,
  normalAt: row.normalAt,
  lastAt: last?.at ?? row.breachAt,
  lastHoldMs: last?.holdMs ?? 0,
  value: row.value,
  peak: row.peak,
  peakAt: row.peakAt ?? row.breachAt,
})

/** How long a reading measured at an instant may hold, ms. */
export const holdAt = ({ device }: DeviceState, at: number): number => ruleAt(device.rules.temperature, at).holdMs

/** The newest fix, as far as it may be taken for a certain one. */
export function lastFix({ latest }: DeviceState) {
  const { latE7, lonE7, positionAt, accuracyM } = latest
  if (latE7 === null || lonE7 === null || positionAt === null) return null
  return { at: positionAt, lat: latE7 / 1e7, lon: lonE7 / 1e7, accuracyM: accuracyM ?? 0 }
}

/** The newest reading that a pending trigger of a condition hangs on: were it back inside, the trigger would be gone. */
export function lastOf(state: DeviceState, condition: string): { at: number; holdMs: number } | null {
  const at = newestOf(state, condition)
  return at === null ? null : { at, holdMs: holdAt(state, at) }
}

function newestOf(state: DeviceState, condition: string): number | null {
  const measure = (['temperature', 'humidity', 'battery'] as const).find((name) => condition.startsWith(name))
  // A dwell goes on through readings without a fix.
  if (measure) return tailOf(state, measure)
  return Number.isFinite(state.tailAt) ? state.tailAt : null
}

/** The newest reading of a measure, ms since 1970; null where there is none. */
export const tailOf = ({ series, latest }: DeviceState, measure: AlarmMeasure): number | null =>
  measure === 'battery' ? latest.batteryAt : (series[measure].tail?.at ?? null)
