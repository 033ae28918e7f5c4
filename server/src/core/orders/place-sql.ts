import { type RawBuilder, sql } from 'kysely'
import { isPresentSql } from '../devices/status-sql.ts'
import { isShownSql } from '../visibility/visibility.ts'

/** Where an order is, by the device that tells it best. */
export interface PlaceRow {
  /** Null: the phone of the driver. */
  device_id: number | null
  lat_e7: number
  lon_e7: number
  position_at: Date
  accuracy_m: number | null
  is_present: boolean
}

/** A phone tells a new position at least so often while its page is open. */
const phonePresentMs = 5 * 60_000

/**
 * The places of orders, a row `order_id` and `PlaceRow` for each that has one: of its devices and that of its vehicle, those that tell their
 * present place first, and those of the vehicle first. A box whose receiver is served stays with them. Where none tells its present place, the
 * phone of the driver does, if the driver agreed. `orders`: a table of a few of them, each of whose devices are looked up by its key; `seen`: a
 * condition over `devices d` and `orders o`.
 */
export const placesSql = (orders: RawBuilder<unknown>, seen: RawBuilder<boolean>, now: Date): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`
  select distinct on (w.order_id) w.order_id, w.device_id, w.lat_e7, w.lon_e7, w.position_at, w.accuracy_m, w.is_present from (
  select o.id as order_id, d.id as device_id, l.lat_e7, l.lon_e7, l.position_at, l.accuracy_m,
    ${isPresentSql('l.position_at', now)} as is_present, o.role = 'vehicle' as is_vehicle
  from (
    select o.*, m.device_id, m.role from ${orders} o cross join lateral (
      select m.device_id, m.role from order_devices m
      left join order_receivers r on r.company_id = m.company_id and r.id = m.receiver_id
      where m.company_id = o.company_id and m.order_id = o.id and r.settled_at is null offset 0) m
    union all
    select o.*, v.device_id, 'vehicle' from ${orders} o
    join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id where v.device_id is not null) o
  join devices d on d.company_id = o.company_id and d.id = o.device_id
  join device_latest l on l.company_id = d.company_id and l.device_id = d.id
  where ${seen} and d.decommissioned_at is null and l.position_at is not null and l.lat_e7 is not null
    and l.lon_e7 is not null and ${isShownSql('d', 'l.position_at')}
  union all
  select o.id, null, p.lat_e7, p.lon_e7, p.at, p.accuracy_m, p.at > ${new Date(now.getTime() - phonePresentMs)}::timestamptz, false
  from ${orders} o cross join lateral (
    select * from driver_positions p where p.company_id = o.company_id and p.order_id = o.id and p.driver_id = o.driver_id
    order by p.at desc limit 1) p
  where o.state = 'inProgress') w
  order by w.order_id, w.is_present desc, w.device_id is null, w.is_vehicle desc, w.position_at desc`

/** The stops that come next, one of each of these orders that has one: where it stands, else the first that is neither served nor snoozed. */
export const nextStopsSql = (orders: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select distinct on (r.order_id) r.order_id, r.id, r.name, r.zone, r.state, r.eta
  from ${orders} o join order_receivers r on r.company_id = o.company_id and r.order_id = o.id
  where r.settled_at is null and r.snoozed_until is null and (r.departed_at is null or r.state = 'waiting')
  order by r.order_id, r.state = 'arrived' desc, r.sequence`
