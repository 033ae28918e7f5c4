import type { DeviceCommand } from '@isotherm/contract/ingest.ts'
import { type RecordWindowRow, recordWindowsSql } from '../../core/devices/record-windows.ts'
import { isTotal } from '../../domain/alarm-total.ts'
import { windowOf } from '../../domain/outside-time.ts'
import type { WatchedPlace } from '../../domain/place-crossings.ts'
import { type IntervalFrom, type LimitsFrom, rulesOf } from '../../domain/rules.ts'
import type { Client } from '../../platform/db/pool.ts'
import { laneOf } from '../lane-of.ts'
import type { Device } from './device.ts'
import { type AlarmRow, alarmCompiler, alarmsSql, type DeviceAlarm } from './watched-alarms.ts'
import { readWatchedPlaces } from './watched-places.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

export interface AssignmentRow {
  imei: string
  companyId: number
  deviceId: number
  probe: number
  from: number
  to: number
}

/** Every assignment that these trackers ever had. */
export async function readAssignments(client: Client, imeis: readonly string[]): Promise<AssignmentRow[]> {
  const { rows } = await client.query<AssignmentRow>({
    name: 'read_assignments',
    text: `select imei, company_id as "companyId", device_id as "deviceId", probe, ${ms('valid_from')} as "from",
        coalesce(${ms('valid_to')}, 'infinity') as "to"
      from assignments where imei = any($1) order by valid_from desc`,
    values: [imeis],
  })
  return rows
}

// JSON knows no infinity: an interval valid since ever begins at null.
const devicesSql = `
select company_id as "companyId", device_id as "deviceId",
  (select json_agg(json_build_object('from', ${ms('valid_from')}, 'temperatureMin', temperature_min_centi,
      'temperatureMax', temperature_max_centi, 'humidityMin', humidity_min_centi, 'humidityMax', humidity_max_centi)
      order by valid_from) from device_limits l
    where l.company_id = wanted.company_id and l.device_id = wanted.device_id) as limits,
  (select json_agg(json_build_object('from', case when isfinite(valid_from) then ${ms('valid_from')} end,
      'intervalS', interval_s) order by valid_from) from device_intervals i
    where i.company_id = wanted.company_id and i.device_id = wanted.device_id) as intervals,
  (select json_agg(json_build_object('commandId', id::text, 'kind', kind, 'value', value) order by id)
    from device_commands c where c.company_id = wanted.company_id and c.device_id = wanted.device_id
    and acked_at is null and superseded_at is null) as commands,
  ${alarmsSql} as alarms,
  exists (select from event_feeds f where f.company_id = wanted.company_id and f.is_on) as "tellsEvents",
  exists (select from reading_feeds f where f.company_id = wanted.company_id and f.is_on) as "notesArrivals",
  (select ${ms('k.at')} from sandbox_clocks k where k.company_id = wanted.company_id) as "clockThen",
  case when exists (select from alarms a where a.company_id = wanted.company_id and a.archived_at is null
    and a.rule -> 'cumulative' ->> 'window' = 'record') then ${recordWindowsSql} end as records
from unnest($1::int4[], $2::int4[]) as wanted (company_id, device_id)`

interface DeviceRow {
  companyId: number
  deviceId: number
  limits: LimitsFrom[] | null
  intervals: (Omit<IntervalFrom, 'from'> & { from: number | null })[] | null
  commands: DeviceCommand[] | null
  alarms: AlarmRow[] | null
  records: RecordWindowRow[] | null
  tellsEvents: boolean
  notesArrivals: boolean
  clockThen: number | null
}

/**
 * Devices with their rules through time, their alarms and their waiting commands. `knownPlaces`: the places of companies that need
 * not be read again; a company's devices share one list, and with it what was worked out of it.
 */
export async function readDevices(
  client: Client,
  wanted: readonly { companyId: number; deviceId: number }[],
  lanes: number,
  knownPlaces: ReadonlyMap<number, readonly WatchedPlace[]>,
): Promise<Device[]> {
  const { rows } = await client.query<DeviceRow>({
    name: 'read_devices',
    text: devicesSql,
    values: [wanted.map((row) => row.companyId), wanted.map((row) => row.deviceId)],
  })
  const compile = await alarmCompiler(client, rows)
  const places = new Map(knownPlaces)
  const unread = new Set(rows.map(({ companyId }) => companyId).filter((id) => !places.has(id)))
  for (const [companyId, list] of await readWatchedPlaces(client, unread)) places.set(companyId, list)
  return rows.map(({ companyId, deviceId, limits, intervals, commands, alarms, records, ...row }) => ({
    companyId,
    id: deviceId,
    key: `${companyId}:${deviceId}`,
    lane: laneOf(companyId, deviceId, lanes),
    rules: rulesOf(
      limits ?? [],
      (intervals ?? []).map((one) => ({ ...one, from: one.from ?? Number.NEGATIVE_INFINITY })),
    ),
    commands: commands ?? [],
    ...withRecords(compile(companyId, alarms), records),
    places: places.get(companyId) ?? noPlaces,
    tellsEvents: row.tellsEvents,
    notesArrivals: row.notesArrivals,
    clockThen: row.clockThen,
    stale: false,
  }))
}

const noPlaces: readonly WatchedPlace[] = []

/** Gives the records to the alarms that count within them. */
function withRecords(alarms: DeviceAlarm[], rows: readonly RecordWindowRow[] | null) {
  const isOfRecords = ({ conditions }: DeviceAlarm) =>
    conditions.some((one) => isTotal(one) && one.cumulative.window === 'record')
  if (!alarms.some(isOfRecords)) return { alarms, records: [] }
  const records = (rows ?? []).map(windowOf)
  return { alarms: alarms.map((alarm) => (isOfRecords(alarm) ? { ...alarm, records } : alarm)), records }
}

/** The IMEIs of the hardware that a device ('company:device') has now. */
export async function readHardware(client: Client, deviceKey: string): Promise<string[]> {
  const { rows } = await client.query<{ imei: string }>({
    name: 'read_hardware',
    text: 'select imei from assignments where company_id = $1 and device_id = $2 and valid_to is null',
    values: deviceKey.split(':').map(Number),
  })
  return rows.map(({ imei }) => imei)
}
