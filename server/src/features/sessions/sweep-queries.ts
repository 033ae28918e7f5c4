import type { Client } from '../../platform/db/pool.ts'
import type { Cut, Island, Segment, Settled, Stored, Stretch } from './settle.ts'

export interface SweptDevice {
  companyId: number
  id: number
  intervalS: number
  inFlight: boolean
  /** Whether it has had a session of its own. */
  known: boolean
  lastReading: number
  /** From when on it got readings that were late; null where none. */
  lateSince: number | null
  /** How often that was noted. */
  lateWrites: number | null
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** The next devices in use that have readings, in the order of their ids. */
export async function nextDevices(client: Client, after: [number, number], most: number): Promise<SweptDevice[]> {
  const { rows } = await client.query<SweptDevice>(
    `select d.company_id as "companyId", d.id, d.interval_s as "intervalS", d.flight_mode = 'on' as "inFlight",
       ${ms('l.measured_at')} as "lastReading",
       exists (select from device_sessions s where s.company_id = d.company_id and s.device_id = d.id
         and s.opened_by = 'device') as known,
       ${ms('n.since')} as "lateSince", n.writes as "lateWrites"
     from devices d join device_latest l on l.company_id = d.company_id and l.device_id = d.id
       left join late_readings n on n.company_id = d.company_id and n.device_id = d.id
     where (d.company_id, d.id) > ($1, $2) and d.decommissioned_at is null and l.measured_at is not null
     order by d.company_id, d.id limit $3`,
    [...after, most],
  )
  return rows
}

interface Keyed {
  companyId: number
  deviceId: number
}
const keys = (devices: readonly SweptDevice[]) => [devices.map((d) => d.companyId), devices.map((d) => d.id)]
const wanted = 'unnest($1::int4[], $2::int4[]) as w (company_id, device_id)'

/** Hours with readings, joined where fewer than so many hours without one lie between; `since` null: all there are. */
export async function islandsOf(
  client: Client,
  devices: readonly SweptDevice[],
  since: readonly (number | null)[],
  hours: readonly number[],
): Promise<(Island & Keyed)[]> {
  const { rows } = await client.query<Island & Keyed>(
    `select company_id as "companyId", device_id as "deviceId", ${ms('min(bucket)')} as "from",
       ${ms('max(bucket)')} + 3600000 as "to"
     from (select company_id, device_id, bucket, sum(gap) over (partition by company_id, device_id order by bucket) as island
       from (select h.company_id, h.device_id, h.bucket,
           coalesce(bucket - lag(bucket) over (partition by h.company_id, h.device_id order by bucket)
             > make_interval(hours => w.hours), false)::int as gap
         from unnest($1::int4[], $2::int4[], $3::float8[], $4::int4[]) as w (company_id, device_id, since, hours)
         join readings_hourly h on h.company_id = w.company_id and h.device_id = w.device_id
           and h.bucket >= coalesce(to_timestamp(w.since / 1000), '-infinity')) as gaps) as islands
     group by company_id, device_id, island order by 1, 2, 3`,
    [...keys(devices), since, hours],
  )
  return rows
}

/** When the devices switched themselves off, and when somebody ended a session of theirs. */
export async function cutsOf(client: Client, devices: readonly SweptDevice[]): Promise<(Cut & Keyed)[]> {
  const { rows } = await client.query<Cut & Keyed>(
    `select w.company_id as "companyId", w.device_id as "deviceId", ${ms('c.acked_at')} as at, 'power' as by
     from ${wanted} join device_commands c on c.company_id = w.company_id and c.device_id = w.device_id
       and c.kind = 'power' and c.ok and c.value ->> 'state' = 'off'
     union all
     select w.company_id, w.device_id, ${ms('s.ended_at')}, s.ended_by
     from ${wanted} join device_sessions s on s.company_id = w.company_id and s.device_id = w.device_id
       and s.opened_by = 'device' and s.ended_by in ('hand', 'decommissioned')`,
    keys(devices),
  )
  return rows
}

/** The devices' own sessions that reach into the time since then (null: ever), and all open ones; locked until the transaction ends. */
export async function storedSince(
  client: Client,
  devices: readonly SweptDevice[],
  since: readonly (number | null)[],
): Promise<(Stored & Keyed & { byHand: boolean })[]> {
  const { rows } = await client.query<Stored & Keyed & { byHand: boolean }>(
    `select s.company_id as "companyId", s.device_id as "deviceId", s.id, ${ms('s.started_at')} as "startedAt",
       ${ms('s.ended_at')} as "endedAt", s.ended_by as "endedBy", s.opened_by = 'hand' as "byHand"
     from unnest($1::int4[], $2::int4[], $3::float8[]) as w (company_id, device_id, since)
     join device_sessions s on s.company_id = w.company_id and s.device_id = w.device_id
     where s.ended_at is null
       or (s.opened_by = 'device' and s.ended_at >= coalesce(to_timestamp(w.since / 1000), '-infinity'))
     order by s.started_at, s.id for update of s`,
    [...keys(devices), since],
  )
  return rows
}

/** The first and the last reading of each segment; those without a reading are left out. */
export async function stretchesIn<S extends Segment & Keyed>(client: Client, segments: S[]): Promise<(S & Stretch)[]> {
  const edge = (order: string) => `(select measured_at from readings r where r.company_id = s.company_id
    and r.device_id = s.device_id and r.measured_at >= to_timestamp(s.since / 1000)
    and r.measured_at < to_timestamp(s.until / 1000) order by measured_at ${order} limit 1)`
  const { rows } = await client.query<{ first: number | null; last: number | null }>(
    `select ${ms(edge('asc'))} as first, ${ms(edge('desc'))} as last
     from unnest($1::int4[], $2::int4[], $3::float8[], $4::float8[]) with ordinality
       as s (company_id, device_id, since, until, place) order by place`,
    [
      segments.map((s) => s.companyId),
      segments.map((s) => s.deviceId),
      segments.map((s) => s.from),
      segments.map((s) => s.to),
    ],
  )
  return segments.flatMap((segment, index) => {
    const { first = null, last = null } = rows[index] ?? {}
    return first === null || last === null ? [] : [{ ...segment, first, last }]
  })
}

type Row = Settled & Keyed
const columns = (rows: readonly Row[]) => [
  rows.map((row) => row.companyId),
  rows.map((row) => row.deviceId),
  rows.map((row) => row.startedAt),
  rows.map((row) => row.endedAt),
  rows.map((row) => row.endedBy),
]
const columnTypes = '$1::int4[], $2::int4[], $3::float8[], $4::float8[], $5::text[]'

/** Locks those of the devices that are still in use until the transaction ends. */
export async function stillInUse(client: Client, devices: readonly Keyed[]): Promise<Set<string>> {
  const { rows } = await client.query<Keyed>(
    `select d.company_id as "companyId", d.id as "deviceId" from ${wanted}
     join devices d on d.company_id = w.company_id and d.id = w.device_id
     where d.decommissioned_at is null order by 1, 2 for share of d`,
    [devices.map((d) => d.companyId), devices.map((d) => d.deviceId)],
  )
  return new Set(rows.map(({ companyId, deviceId }) => `${companyId}:${deviceId}`))
}

export async function insertSessions(client: Client, rows: readonly Row[], now: number): Promise<void> {
  await client.query(
    `insert into device_sessions (company_id, device_id, opened_by, started_at, ended_at, ended_by, created_at)
     select company_id, device_id, 'device', to_timestamp(started / 1000), to_timestamp(ended / 1000), ended_by,
       to_timestamp($6::float8 / 1000)
     from unnest(${columnTypes}) as s (company_id, device_id, started, ended, ended_by)`,
    [...columns(rows), now],
  )
}

export async function updateSessions(client: Client, rows: readonly (Row & { id: string })[]): Promise<void> {
  await client.query(
    `update device_sessions d set started_at = to_timestamp(s.started / 1000), ended_at = to_timestamp(s.ended / 1000),
       ended_by = s.ended_by
     from unnest(${columnTypes}, $6::int8[]) as s (company_id, device_id, started, ended, ended_by, id)
     where d.company_id = s.company_id and d.id = s.id`,
    [...columns(rows), rows.map((row) => row.id)],
  )
}

export async function removeSessions(client: Client, rows: readonly (Keyed & { id: string })[]): Promise<void> {
  await client.query(
    `delete from device_sessions d using unnest($1::int4[], $2::int8[]) as s (company_id, id)
     where d.company_id = s.company_id and d.id = s.id`,
    [rows.map((row) => row.companyId), rows.map((row) => row.id)],
  )
}
