import type { LaneScorecardQuery } from '@isotherm/contract/shipment-evidence.ts'
import { type RawBuilder, sql } from 'kysely'
import { heldUntilSql } from '../../core/devices/excursion-sql.ts'
import {
  countedDevicesSql,
  excursionWithinSql,
  lastLegSql,
  seenDevicesSql,
  untilSql,
} from '../../core/shipments/shipment-state-sql.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

export interface LaneScorecardRow {
  id: string | null
  name: string | null
  shipments: number
  arrived: number
  on_time: number
  late_days: number | null
  rolled: number
  device_ms: number
  covered_ms: number
  excursions: number
  out_ms: number
  stays: number
  dwell_ms: number | null
  treatments: number
  proven: number
}

interface Subject {
  /** The subjects `k` of a shipment `s`: their time on it, with the arrival that was planned and the actual one. */
  of(now: Date): RawBuilder<unknown>
  /** Whether a leg `l` is of the subject of `s`. */
  legs: RawBuilder<boolean>
}

const carrierSql = sql`coalesce(l.carrier_name, l.carrier_code)`

const subjects: Record<LaneScorecardQuery['by'], Subject> = {
  lane: {
    of: (now) => sql`(select s.origin_id || ' ' || s.destination_id as key,
        (s.origin ->> 'name') || ' – ' || (s.destination ->> 'name') as name, s.started_at as since, ${untilSql(now)} as until, z.planned_eta as eta, z.ata,
        (select count(*) from shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id and l.rolled_at is not null) as rolled
      from (select) one left join lateral ${lastLegSql} z on true)`,
    legs: sql<boolean>`true`,
  },
  carrier: {
    of: (now) => sql`(select lower(${carrierSql}) as key, max(${carrierSql}) as name, min(l.atd) as since,
        least(max(coalesce(l.ata, ${untilSql(now)})) filter (where l.atd is not null), ${untilSql(now)}) as until,
        (array_agg(l.planned_eta order by l.sequence desc) filter (where l.rolled_at is null))[1] as eta,
        (array_agg(l.ata order by l.sequence desc) filter (where l.rolled_at is null))[1] as ata,
        count(*) filter (where l.rolled_at is not null) as rolled
      from shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id and (l.atd is not null or l.rolled_at is not null)
      group by lower(${carrierSql}))`,
    legs: sql<boolean>`lower(${carrierSql}) is not distinct from s.key`,
  },
}

/** The milestones `e` of a leg `l` that stand. One that a device has told may be of a device that the reader does not see. */
const milestonesSql = (kinds: RawBuilder<unknown>) => sql`shipment_events e
  where e.company_id = l.company_id and e.shipment_id = l.shipment_id and e.kind in (${kinds}) and e.device_id is null
    and not exists (select from shipment_events c where c.company_id = e.company_id and c.shipment_id = e.shipment_id and c.corrects = e.id)`

/** The legs `l` of the subject of `s` between ports. */
const portLegsSql = (
  legs: RawBuilder<boolean>,
) => sql`shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id
  and l.rolled_at is null and l.mode <> 'road' and ${legs}`

const otherLegSql = sql`n.company_id = l.company_id and n.shipment_id = l.shipment_id and n.rolled_at is null`

/** Stays at ports: from an arrival until the next departure or the way out, and from the gate of the first port until the departure. */
const staysSql = (legs: RawBuilder<boolean>) => sql`
  select l.ata as since, least((select min(n.atd) from shipment_legs n where ${otherLegSql} and n.sequence > l.sequence),
    (select min(e.occurred_at) from ${milestonesSql(sql`'fullOut', 'delivered'`)} and e.occurred_at >= l.ata)) as until
  from ${portLegsSql(legs)} and l.ata is not null
  union all
  select (select max(e.occurred_at) from ${milestonesSql(sql`'gateIn', 'airReceivedOnHand'`)} and e.leg_id = l.id
    and e.occurred_at <= l.atd), l.atd
  from ${portLegsSql(legs)} and l.atd is not null
    and not exists (select from shipment_legs n where ${otherLegSql} and n.sequence < l.sequence and n.mode <> 'road')`

/**
 * The share of what counts of a device `d` that its temperatures cover, by its whole hours; by all hours that it touches where it has
 * no whole one.
 */
const coveredShareSql = sql`(select least(1, case when b.last > b.first
    then coalesce(sum(r.temperature_covered_ms) filter (where r.bucket >= b.first and r.bucket < b.last), 0)
      / (extract(epoch from b.last - b.first) * 1000)
    else sum(r.temperature_covered_ms) / nullif(d.own_ms, 0) end)
  from (select date_trunc('hour', d.since + interval '1 hour') as first, date_trunc('hour', d.until) as last) b
  join readings_hourly r on r.company_id = d.company_id and r.device_id = d.id and r.bucket >= date_trunc('hour', d.since)
    and r.bucket <= d.until and ${isShownSql('d', 'r.bucket')}
  group by b.first, b.last)`

/** The figures of lanes or carriers, by the shipments that started in a period and the devices that the reader sees; one statement. */
export function laneScorecardRows(
  ctx: Viewer,
  by: LaneScorecardQuery['by'],
  { from, to }: { from: Date; to: Date },
): Promise<LaneScorecardRow[]> {
  const now = ctx.clock.now()
  const subject = subjects[by]
  return allRows<LaneScorecardRow>(ctx.tx)`
    with parts as (
      select s.company_id, s.id, k.key, k.name, k.since as started_at, k.until as ended_at, null::timestamptz as cancelled_at, k.eta, k.ata, k.rolled
      from shipments s cross join lateral ${subject.of(now)} k
      where s.company_id = ${ctx.companyId} and s.started_at between ${from} and ${to})
    select s.key as id, max(s.name) as name, count(*)::int as shipments,
      count(*) filter (where s.ata is not null and s.eta is not null)::int as arrived,
      count(*) filter (where s.ata <= s.eta)::int as on_time,
      (avg(extract(epoch from s.ata - s.eta) / 86400) filter (where s.ata > s.eta))::float8 as late_days,
      sum(s.rolled)::int as rolled, coalesce(sum(c.device_ms), 0)::float8 as device_ms,
      coalesce(sum(c.covered_ms), 0)::float8 as covered_ms,
      coalesce(sum(c.excursions), 0)::int as excursions, coalesce(sum(c.out_ms), 0)::float8 as out_ms,
      sum(w.stays)::int as stays, (sum(w.ms) / nullif(sum(w.stays), 0))::float8 as dwell_ms,
      sum(t.treatments)::int as treatments, sum(t.proven)::int as proven
    from parts s
    cross join lateral (
      select sum(d.own_ms) as device_ms, sum(x.n) as excursions, sum(x.ms) as out_ms,
        sum(least(d.own_ms, greatest(x.ms, d.own_ms * ${coveredShareSql}, 0))) as covered_ms
      from (select d.*, extract(epoch from d.until - d.since) * 1000 as own_ms from ${countedDevicesSql(ctx)} d) d
      cross join lateral (select count(*) as n,
          sum(extract(epoch from greatest(least(${heldUntilSql}, d.until) - greatest(e.start_at, d.since), interval '0')) * 1000) as ms
        from excursions e where e.measure = 'temperature' and ${excursionWithinSql}) x) c
    cross join lateral (select count(*) as stays, sum(extract(epoch from g.until - g.since) * 1000) as ms
      from (${staysSql(subject.legs)}) g where g.until >= g.since) w
    cross join lateral (select count(*) as treatments, count(*) filter (where t.clock ->> 'state' = 'proven') as proven
      from cold_treatments t where t.company_id = s.company_id and t.shipment_id = s.id
        and (select count(*) from shipment_devices p where p.company_id = s.company_id and p.shipment_id = s.id and p.place like 'pulp%')
          = (select count(*) from ${seenDevicesSql(ctx)} and m.place like 'pulp%')) t
    group by s.key order by count(*) desc, lower(max(s.name))`
}
