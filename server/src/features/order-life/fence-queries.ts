import { fixAccuracySql } from '../../core/devices/fix-accuracy.ts'
import type { Client } from '../../platform/db/pool.ts'

/** An order whose devices are watched. */
export interface WatchRow {
  companyId: number
  id: string
  /** Up to when its fixes were looked at; null: never. */
  seenAt: Date | null
  since: Date
  deliverBy: Date
}

const opensSql = `coalesce(o.pickup_at - interval '2 hours', o.deliver_by - interval '26 hours')`

/**
 * Orders in progress, and new ones that their devices may start, whose devices have measured a position since it was looked for; those that
 * waited longest first. `isLate`: all of those in progress, for fixes that came late.
 */
export async function watched(client: Client, now: Date, isLate: boolean, limit: number): Promise<WatchRow[]> {
  const { rows } = await client.query<WatchRow>(
    `select o.company_id as "companyId", o.id, o.fences_seen_at as "seenAt", o.deliver_by as "deliverBy",
       coalesce(o.started_at, greatest(o.created_at, ${opensSql})) as since
     from orders o where o.state in ('new', 'inProgress')
       and (o.state = 'inProgress' or (o.start_rule <> 'hand' and o.left_pickup_at is null and not $2 and ${opensSql} <= $1))
       and exists (select from order_devices m join device_latest l on l.company_id = m.company_id and l.device_id = m.device_id
         where m.company_id = o.company_id and m.order_id = o.id
           and ($2 or l.position_at > coalesce(o.fences_seen_at, '-infinity')))
     order by o.fences_seen_at nulls first limit $3`,
    [now, isLate, limit],
  )
  return rows
}

export interface FixRow {
  order: string
  deviceId: number
  at: number
  lat: number
  lon: number
  accuracyM: number
  lightLux: number | null
}

/** The fixes of orders' devices from an instant each on, by device and time. */
export async function fixesOf(
  client: Client,
  orders: readonly { companyId: number; id: string; from: Date }[],
  now: Date,
): Promise<FixRow[]> {
  const { rows } = await client.query<FixRow>(
    `select w.company_id || ':' || w.id as order, r.device_id as "deviceId",
       (extract(epoch from r.measured_at) * 1000)::float8 as at, r.lat_e7 / 1e7::float8 as lat, r.lon_e7 / 1e7::float8 as lon,
       ${fixAccuracySql('r.extra')} as "accuracyM", r.light_lux as "lightLux"
     from unnest($1::int4[], $2::int8[], $3::timestamptz[]) as w (company_id, id, since)
     join order_devices m on m.company_id = w.company_id and m.order_id = w.id
     join readings r on r.company_id = m.company_id and r.device_id = m.device_id
       and r.measured_at >= w.since and r.measured_at <= $4 and r.lat_e7 is not null and r.lon_e7 is not null
     order by r.device_id, r.measured_at`,
    [orders.map(({ companyId }) => companyId), orders.map(({ id }) => id), orders.map(({ from }) => from), now],
  )
  return rows
}

/** Stops that are snoozed no longer at an instant, with their orders. */
export async function snoozesOver(client: Client, now: Date, limit: number) {
  const { rows } = await client.query<{ companyId: number; orderId: string; receiverId: string; until: Date }>(
    `select company_id as "companyId", order_id as "orderId", id as "receiverId", snoozed_until as until
     from order_receivers where snoozed_until <= $1 order by snoozed_until limit $2`,
    [now, limit],
  )
  return rows
}
