import type { FenceArea } from '@isotherm/contract/places.ts'
import { boundsOf, isInside } from '../../domain/fences.ts'
import type { Client } from '../../platform/db/pool.ts'

/** A record on its way; `area`: its destination. */
export interface Travelling {
  companyId: number
  id: string
  startAt: Date
  endAt: Date | null
  area: FenceArea | null
}

interface Fix {
  deviceId: number
  at: number
  lat: number
  lon: number
}

/**
 * When the first of a record's devices came into its destination, by the fixes since an instant; null: none has. Who was
 * inside when that time began must have left first: what came in earlier was seen earlier. Only fixes in the destination's
 * bounds leave the database, and the first ones after them.
 */
export async function arrivalOf(client: Client, record: Travelling, since: Date, now: Date): Promise<Date | null> {
  const { area } = record
  if (!area) return null
  const from = new Date(Math.max(record.startAt.getTime(), since.getTime()))
  const until = record.endAt && record.endAt < now ? record.endAt : now
  const { south, north, west, east } = boundsOf(area)
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
               and measured_at >= $3 and measured_at <= $4)
           union all
           (select device_id, measured_at, lat_e7, lon_e7 from readings
             where company_id = m.company_id and device_id = m.device_id and lat_e7 is not null and lon_e7 is not null
               and measured_at < $3 and measured_at > $9::timestamptz - interval '1 day'
             order by measured_at desc limit 1)) as f
         where m.company_id = $1 and m.record_id = $2) as f) as f
     where is_candidate order by measured_at`,
    [
      ...[record.companyId, record.id, from, until],
      ...[south, north, west, east].map((degrees) => Math.round(degrees * 1e7)),
      record.startAt,
    ],
  )
  return firstArrival(rows, area, from.getTime(), record.startAt.getTime())
}

function firstArrival(fixes: readonly Fix[], area: FenceArea, from: number, startAt: number): Date | null {
  const inside = new Set<number>()
  for (const { deviceId, at, lat, lon } of fixes) {
    const isIn = isInside(area, { lat: Number(lat), lon: Number(lon) })
    if (!isIn) inside.delete(deviceId)
    else if (at < from) inside.add(deviceId)
    // A record lasts at least an instant.
    else if (!inside.has(deviceId)) return new Date(Math.max(at, startAt + 1))
  }
  return null
}
