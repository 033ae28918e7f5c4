import { sql } from 'kysely'
import { outOfRangeSql, statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { Point } from '../../domain/measures.ts'
import { lookBackMs } from '../../domain/time-to-breach.ts'
import type { TenantTx, Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** More than the hours looked back on ever need: 12 hours of a reading a minute. */
const maxPoints = 720

/** How many of the devices nearest to a limit are looked at. */
const candidates = 12

export interface Candidate {
  id: number
  name: string
  interval_s: number
  value: number
  min: number | null
  max: number | null
}

/** Devices in range whose temperature is nearest to a limit, the nearest first. */
export async function nearestToALimit(ctx: Viewer): Promise<Candidate[]> {
  const now = ctx.clock.now()
  return allRows<Candidate>(ctx.tx)`
    select d.id, d.name, d.interval_s, l.temperature_centi as value, r.temperature_min_centi as min, r.temperature_max_centi as max
    from devices d join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    cross join lateral (select * from device_limits r where r.company_id = d.company_id and r.device_id = d.id
      and r.valid_from <= l.temperature_at order by r.valid_from desc limit 1) r
    where ${visibleSql(ctx)} and l.temperature_centi is not null and ${statusSql(now)} in ('live', 'late')
      and not ${outOfRangeSql(ctx)}
      and num_nonnulls(r.temperature_min_centi, r.temperature_max_centi) > 0
    order by least(r.temperature_max_centi - l.temperature_centi, l.temperature_centi - r.temperature_min_centi), d.id
    limit ${candidates}`
}

/** The readings each of them is judged by, by device, oldest first. */
export async function recentPoints(
  ctx: TenantTx,
  devices: readonly { id: number; interval_s: number }[],
  now: Date,
): Promise<Map<number, Point[]>> {
  const points = new Map<number, Point[]>()
  if (devices.length === 0) return points
  const since = devices.map((device) => new Date(now.getTime() - lookBackMs(device.interval_s * 1000)))
  const { rows } = await sql<Point & { id: number }>`
    select w.id, p.at, p.value from unnest(${devices.map(({ id }) => id)}::int4[], ${since}::timestamptz[]) as w (id, since)
    cross join lateral (
      select (extract(epoch from measured_at) * 1000)::float8 as at, temperature_centi as value from readings
      where company_id = ${ctx.companyId} and device_id = w.id and measured_at > w.since and measured_at <= ${now}
        and temperature_centi is not null
      order by measured_at desc limit ${maxPoints}) p`.execute(ctx.tx)
  for (const { id, at, value } of rows) {
    const own = points.get(id)
    if (own) own.push({ at, value })
    else points.set(id, [{ at, value }])
  }
  for (const own of points.values()) own.reverse()
  return points
}
