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
 * The place of an order `o`, as a query of one row: of its devices and that of its vehicle, those that tell their present place first, and
 * those of the vehicle first. A box whose receiver is served stays with them. Where none tells its present place, the phone of the driver does, if
 * the driver agreed. `seen`: a condition over `devices d`.
 */
export const placeSql = (seen: RawBuilder<boolean>, now: Date): RawBuilder<PlaceRow> => sql<PlaceRow>`
  select w.device_id, w.lat_e7, w.lon_e7, w.position_at, w.accuracy_m, w.is_present from (
  (select d.id as device_id, l.lat_e7, l.lon_e7, l.position_at, l.accuracy_m, ${isPresentSql('l.position_at', now)} as is_present,
    m.role = 'vehicle' as is_vehicle
  from (
    select m.device_id, m.role from order_devices m
    left join order_receivers r on r.company_id = m.company_id and r.id = m.receiver_id
    where m.company_id = o.company_id and m.order_id = o.id and r.settled_at is null
    union all
    select v.device_id, 'vehicle' from vehicles v
    where v.company_id = o.company_id and v.id = o.vehicle_id and v.device_id is not null) m
  join devices d on d.company_id = o.company_id and d.id = m.device_id
  join device_latest l on l.company_id = d.company_id and l.device_id = d.id
  where ${seen} and d.decommissioned_at is null and l.position_at is not null and l.lat_e7 is not null
    and l.lon_e7 is not null and ${isShownSql('d', 'l.position_at')}
  order by is_present desc, is_vehicle desc, l.position_at desc limit 1)
  union all
  (select null, p.lat_e7, p.lon_e7, p.at, p.accuracy_m, p.at > ${new Date(now.getTime() - phonePresentMs)}::timestamptz, false
  from driver_positions p where p.company_id = o.company_id and p.order_id = o.id and p.driver_id = o.driver_id and o.state = 'inProgress'
  order by p.at desc limit 1)) w
  order by w.is_present desc, w.device_id is null, w.position_at desc limit 1`

/** The stop of an order `o` that comes next, as a query of one row: the one where it stands, else the first that is neither served nor snoozed. */
export const nextStopSql = sql`
  select r.* from order_receivers r
  where r.company_id = o.company_id and r.order_id = o.id and r.settled_at is null and r.snoozed_until is null
    and (r.departed_at is null or r.state = 'waiting')
  order by r.state = 'arrived' desc, r.sequence limit 1`
