import type { ScorecardQuery } from '@isotherm/contract/order-evidence.ts'
import { type RawBuilder, sql } from 'kysely'
import { heldUntilSql } from '../../core/devices/excursion-sql.ts'
import { holdText } from '../../core/devices/joining-sql.ts'
import { conditionDevicesSql, excursionWithinSql, untilSql } from '../../core/orders/order-state-sql.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

export interface ScorecardRow {
  id: string | null
  name: string | null
  orders: number
  device_ms: number
  excursions: number
  out_ms: number
  silent_ms: number
  stops: number
  late: number
  dwell_ms: number | null
}

/** The id and the name of what the orders `o` are told by. A lane is from one town or address to another. */
const subjects: Record<
  ScorecardQuery['by'],
  { id: RawBuilder<unknown>; name: RawBuilder<unknown>; from: RawBuilder<unknown> }
> = {
  driver: {
    id: sql`o.driver_id::text`,
    name: sql`coalesce(max(v.name), max(o.driver_name))`,
    from: sql`left join drivers v on v.company_id = o.company_id and v.id = o.driver_id`,
  },
  vehicle: {
    id: sql`o.vehicle_id::text`,
    name: sql`coalesce(max(v.name || ', ' || v.plate), max(o.plate))`,
    from: sql`left join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id`,
  },
  lane: {
    id: sql`o.pickup_address || ' – ' || l.address`,
    name: sql`o.pickup_address || ' – ' || l.address`,
    from: sql`cross join lateral (select r.address from order_receivers r where r.company_id = o.company_id and r.order_id = o.id
      order by r.sequence desc limit 1) l`,
  },
}

const temperaturesSql = sql`a.company_id = d.company_id and a.device_id = d.id and a.temperature_centi is not null`

/**
 * The whole hours `b` of an order `o`, and for how much of them no temperature of its device `d` held, ms. An hour's rollup has all the time
 * that its readings held, and of the newest reading none: the last reading before the hours, and their last one, are put right.
 */
const silenceSql = (end: RawBuilder<unknown>) => sql`(
  select greatest(0, extract(epoch from b.last - b.first
    - coalesce((select sum(r.temperature_covered_ms) from readings_hourly r where r.company_id = d.company_id and r.device_id = d.id
        and r.bucket >= b.first and r.bucket < b.last and ${isShownSql('d', 'r.bucket')}), 0) * interval '1 millisecond'
    - coalesce((select sum(case when e.at < b.first then greatest(least(e.until, b.last) - b.first, interval '0')
          when e.is_newest then least(e.until, b.last) - e.at else least(b.last - e.until, interval '0') end)
        from (select a.measured_at as at, n.at is null as is_newest, least(n.at, a.measured_at + ${sql.raw(holdText({ row: 'a', id: 'device_id' }, 'a.measured_at'))}) as until
          from ((select a.* from readings a where ${temperaturesSql} and a.measured_at < b.first and a.measured_at >= b.first - interval '3 days'
                and ${isShownSql('d', 'a.measured_at')} order by a.measured_at desc limit 1)
              union all (select a.* from readings a where ${temperaturesSql} and a.measured_at >= b.first and a.measured_at < b.last
                and ${isShownSql('d', 'a.measured_at')} order by a.measured_at desc limit 1)) a
            left join lateral (select n.measured_at as at from readings n where n.company_id = a.company_id and n.device_id = a.device_id
              and n.measured_at > a.measured_at and n.temperature_centi is not null order by n.measured_at limit 1) n on true) e), interval '0'))) * 1000 as ms
  from (select date_trunc('hour', o.started_at + interval '1 hour' - interval '1 millisecond') as first, date_trunc('hour', ${end}::timestamptz) as last) b
  where b.last > b.first)`

/** The figures of drivers, vehicles or lanes, by the orders that started in a period and the devices that the reader sees; one statement. */
export function scorecardRows(
  ctx: Viewer,
  { by, id }: Pick<ScorecardQuery, 'by' | 'id'>,
  { from, to }: { from: Date; to: Date },
): Promise<ScorecardRow[]> {
  const now = ctx.clock.now()
  const end = untilSql(now)
  const subject = subjects[by]
  const chosen =
    id === undefined || by === 'lane'
      ? sql`true`
      : by === 'driver'
        ? sql`o.driver_id = ${id}::int8`
        : sql`o.vehicle_id = ${id}::int8`
  return allRows<ScorecardRow>(ctx.tx)`
    select ${subject.id} as id, ${subject.name} as name, count(*)::int as orders,
      coalesce(sum(c.device_ms), 0)::float8 as device_ms, coalesce(sum(c.excursions), 0)::int as excursions,
      coalesce(sum(c.out_ms), 0)::float8 as out_ms, coalesce(sum(c.silent_ms), 0)::float8 as silent_ms,
      coalesce(sum(s.stops), 0)::int as stops, coalesce(sum(s.late), 0)::int as late,
      (sum(s.dwell_ms) / nullif(sum(s.stays), 0))::float8 as dwell_ms
    from orders o ${subject.from}
    cross join lateral (
      select sum(d.own_ms) as device_ms, sum(x.n) as excursions, sum(x.ms) as out_ms,
        sum(h.ms) as silent_ms
      from (select d.*, extract(epoch from ${end} - o.started_at) * 1000 as own_ms from ${conditionDevicesSql(ctx)}) d
      cross join lateral (select count(*) as n,
          sum(extract(epoch from greatest(least(${heldUntilSql}, ${end}) - greatest(e.start_at, o.started_at), interval '0')) * 1000) as ms
        from excursions e where ${excursionWithinSql(now)}) x
      left join lateral ${silenceSql(end)} h on true) c
    cross join lateral (
      select count(*) as stops, count(*) filter (where coalesce(r.arrived_at, r.settled_at) > coalesce(r.window_by, o.deliver_by)) as late,
        count(*) filter (where coalesce(r.departed_at, r.settled_at) > r.arrived_at) as stays,
        sum(extract(epoch from coalesce(r.departed_at, r.settled_at) - r.arrived_at) * 1000)
          filter (where coalesce(r.departed_at, r.settled_at) > r.arrived_at) as dwell_ms
      from order_receivers r where r.company_id = o.company_id and r.order_id = o.id and r.settled_at is not null
        and r.state <> 'cancelled') s
    where o.company_id = ${ctx.companyId} and o.started_at between ${from} and ${to} and ${chosen}
    group by ${subject.id} order by count(*) desc, 2`
}
