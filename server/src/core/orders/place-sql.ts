import { type RawBuilder, sql } from 'kysely'
import { isPresentSql } from '../devices/status-sql.ts'
import { isShownSql } from '../visibility/visibility.ts'
import { isReceiverLateSql, tellsSql } from './order-state-sql.ts'
import { phonesSql } from './phone-sql.ts'

/** Where an order is, by the device that tells it best. */
export interface PlaceRow {
  /** Null: a phone. */
  device_id: number | null
  /** The driver whose phone it is; null: a tracker. */
  phone_of: string | null
  lat_e7: number
  lon_e7: number
  position_at: Date
  accuracy_m: number | null
  is_present: boolean
}

/**
 * The devices `m` of a few orders, with `is_served`, where the receiver of a box is, and `tells`, where it tells of the conditions. Those of each
 * order are looked up by its key: joined at once, PostgreSQL reads the devices of all orders that there ever were.
 */
export const heldSql = (orders: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select m.*, ${tellsSql} as tells from ${orders} o cross join lateral (
    select m.*, r.settled_at is not null as is_served from order_devices m
    left join order_receivers r on r.company_id = m.company_id and r.id = m.receiver_id
    where m.company_id = o.company_id and m.order_id = o.id offset 0) m`

interface Places {
  /** A table of a few orders. */
  orders: RawBuilder<unknown>
  /** A table of their devices, as `heldSql` makes it. */
  held: RawBuilder<unknown>
  /** A condition over `devices d` and `orders o`. */
  seen: RawBuilder<boolean>
}

/**
 * The places of orders, a row `order_id` and `PlaceRow` for each that has one: of its devices and that of its vehicle, those that tell their
 * present place first, and those of the vehicle first. A box whose receiver is served stays with them. Where none tells its present place, the
 * phone of the driver does, if the driver agreed.
 */
export const placesSql = ({ orders, held, seen }: Places, now: Date): RawBuilder<PlaceRow> => sql<PlaceRow>`
  select distinct on (w.order_id) w.order_id, w.device_id, w.phone_of, w.lat_e7, w.lon_e7, w.position_at, w.accuracy_m, w.is_present from (
    select o.id as order_id, d.id as device_id, null::int8 as phone_of, l.lat_e7, l.lon_e7, l.position_at, l.accuracy_m,
      ${isPresentSql('l.position_at', now)} as is_present, m.role = 'vehicle' as is_vehicle
    from ${orders} o
    join (
      select m.order_id, m.device_id, m.role from ${held} m where not m.is_served
      union
      select o.id, v.device_id, 'vehicle' from ${orders} o
      join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id where v.device_id is not null) m on m.order_id = o.id
    join devices d on d.company_id = o.company_id and d.id = m.device_id
    join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    where ${seen} and d.decommissioned_at is null and l.position_at is not null and l.lat_e7 is not null
      and l.lon_e7 is not null and ${isShownSql('d', 'l.position_at')}
    union all
    select p.order_id, null, p.driver_id, p.lat_e7, p.lon_e7, p.position_at, p.accuracy_m, p.position_is_present, false
    from (${phonesSql(orders, now)}) p where p.position_at is not null) w
  order by w.order_id, w.is_present desc, w.device_id is null, w.is_vehicle desc, w.position_at desc`

/** The stops of a few orders that are not served, with `is_next`, where one may be the next, and `is_late`. */
export const openStopsSql = (orders: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  select r.order_id, r.id, r.name, r.zone, r.state, r.eta, r.sequence,
    r.snoozed_until is null and (r.departed_at is null or r.state = 'waiting') as is_next, ${isReceiverLateSql(now)} as is_late
  from ${orders} o join order_receivers r on r.company_id = o.company_id and r.order_id = o.id where r.settled_at is null`

/** The stops of `openStopsSql` that come next, one of each order that has one: where it stands, else the first that is neither served nor snoozed. */
export const nextStopsSql = (stops: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select distinct on (r.order_id) r.* from ${stops} r where r.is_next order by r.order_id, r.state = 'arrived' desc, r.sequence`
