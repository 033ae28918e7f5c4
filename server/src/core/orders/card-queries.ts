import { sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { holdText } from '../devices/joining-sql.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { isShownSql } from '../visibility/visibility.ts'
import {
  conditionDevicesSql,
  excursionWithinSql,
  isLateSql,
  isSnoozedSql,
  untilSql,
  worksSql,
} from './order-state-sql.ts'

/** The facts that lists tell of an order beside its own row. */
export interface CardRow {
  id: string
  receivers: number
  settled: number
  first: string
  last: string
  zone: string
  is_snoozed: boolean
  is_late: boolean
  driver: string | null
  driver_works: boolean | null
  vehicle: string | null
  plate: string | null
  seen_devices: number
  devices: number
  insurance: string | null
}

/** The cards of orders, in no order. */
export const cardsOf = (ctx: Viewer, orderIds: readonly string[]): Promise<CardRow[]> =>
  allRows<CardRow>(ctx.tx)`
    select o.id, s.receivers, s.settled, s.first, s.last, s.zone, ${isSnoozedSql()} as is_snoozed,
      ${isLateSql(ctx.clock.now())} as is_late, p.name as driver, ${worksSql('p')} as driver_works, v.name as vehicle, v.plate,
      m.seen_devices, m.devices, i.state as insurance
    from orders o
    cross join lateral (select count(*)::int as receivers, count(r.settled_at)::int as settled,
        (array_agg(r.name order by r.sequence))[1] as first, (array_agg(r.name order by r.sequence desc))[1] as last,
        (array_agg(r.zone order by r.sequence desc))[1] as zone
      from order_receivers r where r.company_id = o.company_id and r.order_id = o.id) s
    cross join lateral (select count(*)::int as devices, count(*) filter (where ${visibleSql(ctx)})::int as seen_devices
      from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = o.company_id and m.order_id = o.id) m
    left join drivers p on p.company_id = o.company_id and p.id = o.driver_id
    left join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id
    left join lateral (select state from order_insurances i where i.company_id = o.company_id and i.order_id = o.id
      order by i.state in ('requested', 'certified') desc, i.id desc limit 1) i on true
    where o.company_id = ${ctx.companyId} and o.id = any(${orderIds}::int8[])`

/** The evidence on an order by the devices that a person sees. */
export interface EvidenceRow {
  id: string
  has_excursion: boolean
  is_measured: boolean
  is_limited: boolean
  is_complete: boolean
}

/** How long the last reading of a device held, as its interval was then. */
const heldSql = sql.raw(holdText({ row: 'd', id: 'id' }, 'l.measured_at'))

/**
 * The evidence on orders that have started, of those with devices that the person sees: by their excursions and by whole hours, as far as a
 * device has spoken since. An hour counts as covered where a reading held through it.
 */
export function evidenceOf(ctx: Viewer, orderIds: readonly string[]): Promise<EvidenceRow[]> {
  const now = ctx.clock.now()
  const until = untilSql(now)
  const end = sql`least(${until}, l.measured_at)`
  return allRows<EvidenceRow>(ctx.tx)`
    select o.id, bool_or(e.found) as has_excursion, bool_or(h.hours > 0) as is_measured, bool_and(n.found) as is_limited,
      bool_and(coalesce(h.covered >= extract(epoch from date_trunc('hour', ${end}) - c.first) * 1000
        and l.measured_at >= ${until} - ${heldSql}, false))
        as is_complete
    from orders o
    cross join lateral (select d.* from ${conditionDevicesSql(ctx)}) d
    cross join lateral (select date_trunc('hour', o.started_at + interval '1 hour') as first) c
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    cross join lateral (select exists (select from excursions e where ${excursionWithinSql(now)}) as found) e
    cross join lateral (select count(*) as hours,
        coalesce(sum(r.temperature_covered_ms) filter (where r.bucket >= c.first and r.bucket < date_trunc('hour', ${end})), 0) as covered
      from readings_hourly r where r.company_id = d.company_id and r.device_id = d.id
        and r.bucket >= date_trunc('hour', o.started_at) and r.bucket <= ${until}
        and ${isShownSql('d', 'r.bucket')}) h
    cross join lateral (select exists (select from device_limits n where n.company_id = d.company_id and n.device_id = d.id
      and n.valid_from <= ${until}
      and coalesce(n.temperature_min_centi, n.temperature_max_centi, n.humidity_min_centi, n.humidity_max_centi) is not null) as found) n
    where o.company_id = ${ctx.companyId} and o.id = any(${orderIds}::int8[]) and o.started_at is not null
    group by o.id`
}

/** A device of an order with the hardware that it has now, or had last. */
export interface NamedDeviceRow {
  device_id: number
  name: string
  imei: string | null
  role: string
  receiver_id: string | null
}

/** The devices of an order that the person may see. */
export const seenDevicesOf = (ctx: Viewer, orderId: string): Promise<NamedDeviceRow[]> =>
  allRows<NamedDeviceRow>(ctx.tx)`
    select m.device_id, d.name, a.imei, m.role, m.receiver_id
    from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    left join lateral (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
      order by a.valid_from desc limit 1) a on true
    where m.company_id = ${ctx.companyId} and m.order_id = ${orderId}::int8 and ${visibleSql(ctx)}
    order by lower(d.name), d.id`
