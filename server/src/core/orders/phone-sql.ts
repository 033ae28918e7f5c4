import { type RawBuilder, sql } from 'kysely'

/** A phone tells a new position at least so often while its page is open. */
const intervalMs = 5 * 60_000
/** A phone that told nothing for so long was away: its path has a gap. */
export const phoneSilentMs = 3 * intervalMs

/**
 * The devices of kind phone of a few orders: of each that is under way and whose driver agrees, the driver's phone with the last position that
 * it told, if any. Once the order is over, or another driver has it, or the driver does not agree any more, it is no device of the order.
 */
export const phonesSql = (orders: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  select o.id as order_id, o.driver_id, coalesce(o.driver_name, v.name) as name, p.lat_e7, p.lon_e7, p.at as position_at, p.accuracy_m,
    p.at > ${new Date(now.getTime() - intervalMs)}::timestamptz as position_is_present
  from ${orders} o
  join order_links l on l.company_id = o.company_id and l.order_id = o.id and l.driver_id = o.driver_id and l.revoked_at is null
    and l.position_agreed_at is not null
  join drivers v on v.company_id = o.company_id and v.id = o.driver_id
  left join lateral (
    select * from driver_positions p where p.company_id = o.company_id and p.order_id = o.id and p.driver_id = o.driver_id
    order by p.at desc limit 1) p on true
  where o.state = 'inProgress'`
