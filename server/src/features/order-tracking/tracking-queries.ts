import { sql } from 'kysely'
import { isPresentSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { heldSql, nextStopsSql, openStopsSql, type PlaceRow, placesSql } from '../../core/orders/place-sql.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'

/** The last temperature of a device, with the limits of its time. Hundredths. */
export interface TemperatureRow {
  temperature_centi: number | null
  temperature_at: Date | null
  temperature_min_centi: number | null
  temperature_max_centi: number | null
  temperature_is_present: boolean | null
}

const temperatureSql = (now: Date) => sql`l.temperature_centi, l.temperature_at, n.temperature_min_centi,
  n.temperature_max_centi, ${isPresentSql('l.temperature_at', now)} as temperature_is_present`

/** The limits of a device `d` at the time of its last temperature in `l`, as a lateral join. */
const limitsThenSql = sql`left join lateral (select temperature_min_centi, temperature_max_centi from device_limits n
  where n.company_id = d.company_id and n.device_id = d.id and n.valid_from <= l.temperature_at
  order by n.valid_from desc limit 1) n on true`

/** The last place of something; null where there is none. */
export interface PositionRow {
  lat_e7: number | null
  lon_e7: number | null
  position_at: Date | null
  accuracy_m: number | null
  position_is_present: boolean | null
}

/** A device with the last that it told of its place and temperature. */
export interface LatestRow extends TemperatureRow, PositionRow {
  device_id: number
}

export interface TrackedRow extends LatestRow {
  name: string
  imei: string | null
  role: string
  receiver_id: string | null
  measured_at: Date | null
  humidity_centi: number | null
  battery_pct: number | null
}

/** The devices of an order that the person may see, with what they told last; nothing of what a lapsed licence hides. */
export function trackedDevices(ctx: Viewer, orderId: string): Promise<TrackedRow[]> {
  const now = ctx.clock.now()
  return allRows<TrackedRow>(ctx.tx)`
    select m.device_id, d.name, a.imei, m.role, m.receiver_id, l.measured_at, l.humidity_centi, l.battery_pct,
      case when ${isShownSql('d', 'l.position_at')} then l.lat_e7 end as lat_e7, l.lon_e7, l.position_at, l.accuracy_m,
      ${isPresentSql('l.position_at', now)} as position_is_present, ${temperatureSql(now)}
    from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id and ${isShownSql('d', 'l.measured_at')}
    ${limitsThenSql}
    left join lateral (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
      order by a.valid_from desc limit 1) a on true
    where m.company_id = ${ctx.companyId} and m.order_id = ${orderId}::int8 and ${visibleSql(ctx)}
    order by m.role desc, lower(d.name), d.id`
}

/** How many devices an order has that the person may not see. */
export const countHidden = (ctx: Viewer, orderId: string): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n
    from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = ${ctx.companyId} and m.order_id = ${orderId}::int8 and not (${visibleSql(ctx)})`

/** The device that tells best where an order is, of those that the person may see. */
export const placeOf = (ctx: Viewer, orderId: string): Promise<PlaceRow | undefined> =>
  firstRow<PlaceRow>(ctx.tx)`
    with o as (select * from orders where company_id = ${ctx.companyId} and id = ${orderId}::int8)
    ${placesSql({ orders: sql`o`, held: sql`(${heldSql(sql`o`)})`, seen: visibleSql(ctx) }, ctx.clock.now())}`

/** The device of an order that the person may see, by hardware that it had before an instant and since another one; the first one where none is named. */
export const deviceOfOrder = (
  ctx: Viewer,
  orderId: string,
  { imei, deviceId, from, to }: { imei?: string; deviceId?: string; from: Date; to: Date },
): Promise<{ device_id: number } | undefined> =>
  firstRow<{ device_id: number }>(ctx.tx)`
    select m.device_id from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = ${ctx.companyId} and m.order_id = ${orderId}::int8 and ${visibleSql(ctx)}
      and ${deviceId === undefined ? sql`true` : sql`m.device_id = ${deviceId}::int8`}
      and ${
        imei === undefined
          ? sql`true`
          : sql`exists (select from assignments a where a.company_id = d.company_id and a.device_id = d.id
              and a.imei = ${imei} and a.valid_from <= ${to} and (a.valid_to is null or a.valid_to > ${from}))`
      }
    order by m.role, lower(d.name), d.id limit 1`

/** The next stop of an order. */
export interface NextRow {
  id: string
  next_id: string | null
  next_name: string
  next_zone: string
  next_state: string
  next_eta: unknown
}

/** The next stop and the temperature of an order, for one card of many. */
export type UnderWayRow = NextRow & TemperatureRow

const nextColumns = sql`o.id, r.id as next_id, r.name as next_name, r.zone as next_zone, r.state as next_state, r.eta as next_eta`

/** The orders in the table `going`, their devices and their open stops, as tables `held` and `stops`: each is looked up once. */
const partsSql = (now: Date) => sql`
  held as materialized (${heldSql(sql`going`)}),
  stops as materialized (${openStopsSql(sql`going`, now)})`

/** The next stop `r` of an order `o` of these, and its device `t` that is farthest from its limits, as joins. */
const underWaySql = (ctx: Viewer, now: Date) => sql`
  left join (${nextStopsSql(sql`stops`)}) r on r.order_id = o.id
  left join (
    select distinct on (m.order_id) m.order_id as id, d.id as device_id, ${temperatureSql(now)}
    from held m join devices d on d.company_id = m.company_id and d.id = m.device_id
    join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    ${limitsThenSql}
    where m.tells and ${visibleSql(ctx)} and l.temperature_centi is not null and ${isShownSql('d', 'l.temperature_at')}
    order by m.order_id, greatest(l.temperature_centi - n.temperature_max_centi, n.temperature_min_centi - l.temperature_centi) desc nulls last,
      d.id) t on t.id = o.id`

export function underWay(ctx: Viewer, orderIds: readonly string[]): Promise<UnderWayRow[]> {
  const now = ctx.clock.now()
  return allRows<UnderWayRow>(ctx.tx)`
    with going as materialized (select * from orders
      where company_id = ${ctx.companyId} and state = 'inProgress' and id = any(${orderIds}::int8[])), ${partsSql(now)}
    select ${nextColumns}, t.temperature_centi, t.temperature_at, t.temperature_min_centi, t.temperature_max_centi, t.temperature_is_present
    from going o ${underWaySql(ctx, now)}`
}

export interface MapRow extends NextRow, PositionRow {
  /** The driver whose phone tells where the order is. */
  phone_of: string | null
  tracking_code: string
  driver: string | null
  plate: string | null
  is_late: boolean
  placed_by: number | null
  measured_by: number | null
}

/** Orders under way, those due first first, and which of the devices that the person may see tell of them. */
export function ordersOnMap(ctx: Viewer, limit: number): Promise<MapRow[]> {
  const now = ctx.clock.now()
  return allRows<MapRow>(ctx.tx)`
    with going as materialized (select id, company_id, state, deliver_by, started_at, ended_at, cancelled_at, driver_id, vehicle_id,
        driver_name, plate, tracking_code
      from orders where company_id = ${ctx.companyId} and state = 'inProgress' order by deliver_by, id limit ${limit}), ${partsSql(now)}
    select ${nextColumns}, o.tracking_code, coalesce(o.driver_name, v.name) as driver, o.plate,
      w.order_id is not null as is_late, p.device_id as placed_by, p.phone_of, t.device_id as measured_by,
      p.lat_e7, p.lon_e7, p.position_at, p.accuracy_m, p.is_present as position_is_present
    from going o
    left join drivers v on v.company_id = o.company_id and v.id = o.driver_id
    left join (${placesSql({ orders: sql`going`, held: sql`held`, seen: visibleSql(ctx) }, now)}) p on p.order_id = o.id
    left join (select distinct order_id from stops where is_late) w on w.order_id = o.id
    ${underWaySql(ctx, now)}
    order by o.deliver_by, o.id`
}

/** The devices of a map, each once, whatever number of orders it tells of. */
export function devicesOnMap(ctx: Viewer, ids: readonly number[]): Promise<LatestRow[]> {
  const now = ctx.clock.now()
  return allRows<LatestRow>(ctx.tx)`
    select d.id as device_id, case when ${isShownSql('d', 'l.position_at')} then l.lat_e7 end as lat_e7, l.lon_e7, l.position_at,
      l.accuracy_m, ${isPresentSql('l.position_at', now)} as position_is_present, ${temperatureSql(now)}
    from devices d join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    ${limitsThenSql}
    where ${visibleSql(ctx)} and d.id = any(${ids}::int4[])`
}

export const countUnderWay = ({ tx, companyId }: Viewer): Promise<number> =>
  countRows(tx)`select count(*)::int as n from orders where company_id = ${companyId} and state = 'inProgress'`
