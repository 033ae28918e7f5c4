import type { AlarmRule, AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import type { FenceArea } from '@isotherm/contract/places.ts'
import { conditionsOf, type Fence } from '../../domain/alarm-conditions.ts'
import type { WatchedAlarm } from '../../domain/watched-alarm.ts'
import type { Client } from '../../platform/db/pool.ts'

/** An alarm as the pipeline knows it. */
export interface DeviceAlarm extends WatchedAlarm {
  isPrivate: boolean
  severity: 'warning' | 'critical'
}

export interface AlarmRow {
  id: string
  rule: AlarmRule
  schedule: AlarmSchedule | null
  from: number
  isPrivate: boolean
  severity: 'warning' | 'critical'
}

/**
 * The alarms of a device `wanted (company_id, device_id)`: its own, and those of its groups; each from when its rule and its
 * watch over the device were both there.
 */
export const alarmsSql = `
(select json_agg(json_build_object('id', a.id::text, 'rule', a.rule, 'schedule', a.schedule, 'severity', a.severity,
    'from', (extract(epoch from greatest(a.rule_from, watched.since)) * 1000)::float8, 'isPrivate', a.visibility = 'private') order by a.id)
  from alarms a join (
    select alarm_id, min(since) as since from (
      select t.alarm_id, coalesce(t.added_at, 'epoch') as since
      from alarm_targets t where t.company_id = wanted.company_id and t.device_id = wanted.device_id
      union all select t.alarm_id, greatest(t.added_at, g.added_at) from group_devices g
        join alarm_targets t on t.company_id = g.company_id and t.group_id = g.group_id
        where g.company_id = wanted.company_id and g.device_id = wanted.device_id) ways group by 1) watched on watched.alarm_id = a.id
  where a.company_id = wanted.company_id and a.archived_at is null)`

const fencesSql = `
select company_id as "companyId", 'g' || id as key, name, area from geofences
where (company_id, id) in (select * from unnest($1::int4[], $2::int8[]))
union all
select company_id, 'p' || id, name, jsonb_build_object('kind', 'circle', 'radiusM', radius_m,
  'centre', jsonb_build_object('lat', lat_e7 / 1e7, 'lon', lon_e7 / 1e7)) from points_of_interest
where (company_id, id) in (select * from unnest($3::int4[], $4::int8[]))`

interface FenceRow {
  companyId: number
  key: string
  name: string
  area: FenceArea
}

/** Compiles alarms, with the fences they name: a function from a company and its rows. */
export async function alarmCompiler(
  client: Client,
  rows: readonly { companyId: number; alarms: AlarmRow[] | null }[],
): Promise<(companyId: number, alarms: AlarmRow[] | null) => DeviceAlarm[]> {
  const fences = await readFences(client, rows)
  const compiled = new Map<string, DeviceAlarm>()
  const compile = (companyId: number, { id, rule, ...rest }: AlarmRow): DeviceAlarm => {
    const key = `${companyId}/${id}/${rest.from}`
    const known = compiled.get(key)
    if (known) return known
    const alarm = { id, ...rest, conditions: conditionsOf(rule, fences.get(companyId) ?? new Map()) }
    compiled.set(key, alarm)
    return alarm
  }
  return (companyId, alarms) => (alarms ?? []).map((row) => compile(companyId, row))
}

async function readFences(client: Client, rows: readonly { companyId: number; alarms: AlarmRow[] | null }[]) {
  const wanted = rows.flatMap(({ companyId, alarms }) =>
    (alarms ?? []).flatMap(({ rule }) => (rule.kind === 'fence' ? [{ companyId, rule }] : [])),
  )
  const fences = new Map<number, Map<string, Fence>>()
  if (wanted.length === 0) return fences
  const ids = (name: 'geofenceIds' | 'pointOfInterestIds') =>
    wanted.flatMap(({ companyId, rule }) => rule[name].map((id) => ({ companyId, id })))
  const [areas, points] = [ids('geofenceIds'), ids('pointOfInterestIds')]
  const { rows: found } = await client.query<FenceRow>({
    name: 'read_fences',
    text: fencesSql,
    values: [areas, points].flatMap((list) => [list.map((row) => row.companyId), list.map((row) => row.id)]),
  })
  for (const { companyId, ...fence } of found) {
    const known = fences.get(companyId) ?? new Map<string, Fence>()
    fences.set(companyId, known.set(fence.key, fence))
  }
  return fences
}
