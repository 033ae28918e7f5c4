import type { FenceArea } from '@isotherm/contract/places.ts'
import type { boundsOf } from '../../domain/fences.ts'
import type { Client, Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

/** A record as the sweeps need it; `area`: its destination. */
export interface DueRecord {
  companyId: number
  id: string
  name: string
  groupId: string | null
  startAt: Date
  endAt: Date | null
  area: FenceArea | null
}

const due = (pool: Pool, where: string, instant: Date) =>
  asPipeline(pool, async ({ client }) => {
    const { rows } = await client.query<DueRecord>(
      `select company_id as "companyId", id, name, group_id as "groupId", start_at as "startAt", end_at as "endAt",
         destination -> 'area' as area
       from records where archived_at is null and ${where} order by company_id, id`,
      [instant],
    )
    return rows
  })

export const plannedUntil = (pool: Pool, now: Date) => due(pool, `state = 'planned' and start_at <= $1`, now)

export const runningPast = (pool: Pool, now: Date) => due(pool, `state = 'running' and end_at <= $1`, now)

/** Records on their way to a destination, and those that ended after an instant, but not by hand. */
export const travelling = (pool: Pool, since: Date) =>
  due(
    pool,
    `destination is not null and (state = 'running' or (state = 'ended' and ended_by <> 'hand' and end_at > $1))`,
    since,
  )

export interface Fix {
  deviceId: number
  at: number
  lat: number
  lon: number
}

/**
 * The fixes of a record's devices that lie in the bounds, and the first ones after each of those; with the last fix of the day before
 * `from`.
 */
export async function fixesAround(
  client: Client,
  record: DueRecord,
  { from, until }: { from: Date; until: Date },
  { south, north, west, east }: ReturnType<typeof boundsOf>,
): Promise<Fix[]> {
  const { rows } = await client.query<Fix>(
    `select device_id as "deviceId", (extract(epoch from measured_at) * 1000)::float8 as at, lat_e7 / 1e7 as lat, lon_e7 / 1e7 as lon
     from (
       select f.*, is_near or lag(is_near, 1, true) over (partition by device_id order by measured_at) as is_candidate
       from (
         select f.device_id, f.measured_at, f.lat_e7, f.lon_e7,
           f.lat_e7 between $5 and $6 and f.lon_e7 between $7 and $8 as is_near
         from record_devices m cross join lateral (
           (select device_id, measured_at, lat_e7, lon_e7 from readings
             where company_id = m.company_id and device_id = m.device_id and lat_e7 is not null and lon_e7 is not null
               and measured_at >= greatest($3, m.joined_at) and measured_at <= least($4, m.left_at))
           union all
           (select device_id, measured_at, lat_e7, lon_e7 from readings
             where company_id = m.company_id and device_id = m.device_id and lat_e7 is not null and lon_e7 is not null
               and measured_at < $3 and measured_at > $9::timestamptz - interval '1 day' and m.joined_at is null
             order by measured_at desc limit 1)) as f
         where m.company_id = $1 and m.record_id = $2) as f) as f
     where is_candidate order by measured_at`,
    [
      ...[record.companyId, record.id, from, until],
      ...[south, north, west, east].map((degrees) => Math.round(degrees * 1e7)),
      record.startAt,
    ],
  )
  return rows
}
