import { isTotal } from '../../domain/alarm-total.ts'
import type { Span } from '../../domain/outside-time.ts'
import { keyOf } from '../../domain/watched-alarm.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import { numbers } from '../store/pg-arrays.ts'
import type { DeviceState } from './device-state.ts'
import { lastOf } from './load-alarms.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const outsideSql = `
select company_id || ':' || device_id as key, alarm_id as "alarmId", condition, ${ms('counted_from')} as "countedFrom",
  ${ms('since')} as since, spans
from unnest($1::int4[], $2::int4[]) as wanted (company_id, device_id) join alarm_outside using (company_id, device_id)`

export interface OutsideRow {
  key: string
  alarmId: string
  condition: string
  countedFrom: number
  since: number | null
  spans: Span[]
}

/** Whether an alarm of a device adds up the time outside. */
export const hasTotals = ({ alarms }: Device): boolean => alarms.some(({ conditions }) => conditions.some(isTotal))

/** Loads the counts of cumulative alarms for devices; runs no query where there are none. */
export async function loadOutside({ client }: Batch, devices: readonly Device[]): Promise<OutsideRow[]> {
  const counted = devices.filter(hasTotals)
  if (counted.length === 0) return []
  const values = [numbers('int4', counted, (row) => row.companyId), numbers('int4', counted, (row) => row.id)]
  return (await client.query<OutsideRow>({ name: 'load_outside', text: outsideSql, values })).rows
}

/** Puts what was loaded into the states, whose newest readings must be there already. */
export function restoreOutside(states: ReadonlyMap<string, DeviceState>, rows: readonly OutsideRow[]): void {
  for (const { key, alarmId, condition, ...counted } of rows) {
    const state = states.get(key)
    if (!state) continue
    const last = lastOf(state, condition)
    state.alarms.totals.set(keyOf(alarmId, condition), counted)
    state.alarms.watch.totals.set(keyOf(alarmId, condition), { counted, heldUntil: last ? last.at + last.holdMs : 0 })
  }
}
