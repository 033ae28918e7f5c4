import { sql } from 'kysely'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { heldUntilSql } from '../devices/excursion-sql.ts'
import { isShownSql } from '../visibility/visibility.ts'
import { countedDevicesSql, placeOrderText } from './shipment-state-sql.ts'

export interface Stretch {
  legId: string | null
  from: Date
  to: Date
}

export interface MeasuredRow {
  /** The place of the stretch in the list that was asked for. */
  stretch: number
  id: number
  name: string
  place: string
  readings: number
  min_centi: number | null
  max_centi: number | null
  mean_centi: number | null
  outside_ms: number
}

/** The measurements of the devices of a shipment that the person sees during some stretches of time, both ends included; of each what counts of it. */
export const measuredDuring = (
  ctx: Viewer,
  shipmentId: string,
  stretches: readonly Pick<Stretch, 'from' | 'to'>[],
): Promise<MeasuredRow[]> =>
  allRows<MeasuredRow>(ctx.tx)`
    select w.stretch::int, d.id, d.name, d.place, r.readings, r.min_centi, r.max_centi, r.mean_centi, x.outside_ms
    from shipments s
    cross join unnest(${stretches.map(({ from }) => from)}::timestamptz[], ${stretches.map(({ to }) => to)}::timestamptz[])
      with ordinality as g (since, until, stretch)
    cross join lateral ${countedDevicesSql(ctx)} d
    cross join lateral (select g.stretch, greatest(g.since, d.since) as since, least(g.until, d.until) as until) w
    cross join lateral (select count(r.temperature_centi)::int as readings, min(r.temperature_centi) as min_centi,
        max(r.temperature_centi) as max_centi, avg(r.temperature_centi)::float8 as mean_centi
      from readings r where r.company_id = d.company_id and r.device_id = d.id and r.measured_at >= w.since
        and r.measured_at <= w.until and ${isShownSql('d', 'r.measured_at')}) r
    cross join lateral (select coalesce(sum(extract(epoch from least(${heldUntilSql}, w.until) - greatest(e.start_at, w.since)) * 1000)
        filter (where ${heldUntilSql} > w.since), 0)::float8 as outside_ms
      from excursions e where e.company_id = d.company_id and e.device_id = d.id and e.start_at <= w.until
        and e.measure = 'temperature' and ${isShownSql('d', 'e.start_at')}) x
    where s.company_id = ${ctx.companyId} and s.id = ${shipmentId}::int8 and w.since <= w.until
    order by w.stretch, ${sql.raw(placeOrderText('d'))}, lower(d.name), d.id`
