import type { DashboardEvent, NeedsAttention } from '@isotherm/contract/dashboard.ts'
import { sql } from 'kysely'
import { openExcursionsSql } from '../../core/devices/excursion-sql.ts'
import type { ExcursionRow } from '../../core/devices/present-excursion.ts'
import { licenceEndsSoonSql, statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

const maxRows = 20
const batteryLowPct = 15

const latest = sql`left join device_latest l on l.company_id = d.company_id and l.device_id = d.id`

export interface OpenExcursionRow extends ExcursionRow {
  device_id: number
  device_name: string
  value: number | null
  limit: number | null
}

/** Open excursions of the devices that are heard of, longest first. */
export const excursionsNow = (ctx: Viewer): Promise<OpenExcursionRow[]> =>
  allRows<OpenExcursionRow>(ctx.tx)`
    select e.id, e.measure, e.side, e.start_at, null::timestamptz as end_at, e.peak_centi, e.peak_at, d.id as device_id, d.name as device_name,
      case e.measure when 'temperature' then l.temperature_centi else l.humidity_centi end as value,
      case when e.measure = 'temperature' and e.side = 'above' then r.temperature_max_centi
        when e.measure = 'temperature' then r.temperature_min_centi
        when e.side = 'above' then r.humidity_max_centi else r.humidity_min_centi end as limit
    from ${openExcursionsSql(ctx.clock.now())} e join devices d on d.company_id = e.company_id and d.id = e.device_id ${latest}
    left join lateral (select * from device_limits r where r.company_id = d.company_id and r.device_id = d.id
      and r.valid_from <= e.last_at order by r.valid_from desc limit 1) r on true
    where e.company_id = ${ctx.companyId} and ${visibleSql(ctx)}
      and ${statusSql(ctx.clock.now())} in ('live', 'late')
    order by e.start_at, e.id limit ${maxRows}`

export interface EventRow {
  kind: DashboardEvent['kind']
  at: Date
  device_id: number
  device_name: string
  measure: DashboardEvent['measure']
  side: DashboardEvent['side']
  peak: number | null
}

/** The latest events, newest first. */
export async function latestEvents(ctx: Viewer): Promise<EventRow[]> {
  const excursions = (kind: EventRow['kind'], column: string) => sql`
    (select ${kind} as kind, ${sql.raw(column)} as at, d.id as device_id, d.name as device_name, e.measure, e.side,
      e.peak_centi as peak
    from excursions e join devices d on d.company_id = e.company_id and d.id = e.device_id
    where e.company_id = ${ctx.companyId} and ${sql.raw(column)} <= ${ctx.clock.now()} and ${isShownSql('d', column)}
      and ${visibleSql(ctx)}
    order by ${sql.raw(column)} desc limit ${maxRows})`
  return allRows<EventRow>(ctx.tx)`
    ${excursions('excursionStarted', 'e.start_at')}
    union all ${excursions('excursionEnded', 'e.end_at')}
    union all (select 'deviceAdded', d.created_at, d.id, d.name, null, null, null from devices d
      where ${visibleSql(ctx)} order by d.created_at desc limit ${maxRows})
    order by at desc limit ${maxRows}`
}

export interface AttentionRow {
  kind: NeedsAttention['kind']
  device_id: number
  device_name: string
  since: Date
  value: number | null
}

/** Devices that need attention for other reasons than excursions; at most 20 of each kind, most pressing first. */
export async function attentionWanted(ctx: Viewer): Promise<AttentionRow[]> {
  const now = ctx.clock.now()
  const list = (rank: number, kind: string, since: string, value: string, condition: ReturnType<typeof sql>) => sql`
    (select ${rank}::int as rank, ${kind} as kind, id as device_id, name as device_name, ${sql.raw(since)} as since,
      ${sql.raw(value)}::float8 as value
    from visible where ${condition} order by ${sql.raw(since)}, id limit ${maxRows})`
  const heard = sql`status in ('live', 'late')`
  return allRows<AttentionRow>(ctx.tx)`
    with visible as materialized (
      select d.id, d.name, ${statusSql(now)} as status, d.licence_until, l.measured_at, l.received_at, l.battery_pct,
        l.battery_at, l.clock_ahead_s, l.clock_ahead_at
      from devices d ${latest} where ${visibleSql(ctx)})
    select kind, device_id, device_name, since, value from (
      ${list(1, 'silent', 'measured_at', 'null', sql`status in ('late', 'offline')`)}
      union all ${list(
        2,
        'clockAhead',
        'clock_ahead_at',
        'clock_ahead_s',
        sql`status not in ('decommissioned', 'expired') and clock_ahead_at > coalesce(received_at, '-infinity')`,
      )}
      union all ${list(3, 'batteryLow', 'battery_at', 'battery_pct', sql`${heard} and battery_pct <= ${batteryLowPct}`)}
      union all ${list(4, 'licenceExpired', 'licence_until', 'null', sql`status = 'expired'`)}
      union all ${list(
        5,
        'licenceEnding',
        'licence_until',
        'null',
        sql`status not in ('decommissioned', 'expired') and ${licenceEndsSoonSql(now)}`,
      )}) as wanted
    order by rank, since, device_id`
}

interface LicenceCounts {
  places: number
  taken: number
  expired: number
  ending: number
  next_end: Date | null
}

/** The devices that the company's licences allow, and those in use. */
export async function countLicences(ctx: Viewer): Promise<LicenceCounts | undefined> {
  const now = ctx.clock.now()
  return firstRow<LicenceCounts>(ctx.tx)`
    select (select coalesce(sum(l.devices), 0)::int from licences l
        where l.company_id = ${ctx.companyId} and l.expires_at > ${now}) as places,
      count(*) filter (where licence_until > ${now})::int as taken,
      count(*) filter (where licence_until <= ${now})::int as expired,
      count(*) filter (where licence_until > ${now} and ${licenceEndsSoonSql(now)})::int as ending,
      min(licence_until) filter (where licence_until > ${now}) as next_end
    from devices where company_id = ${ctx.companyId} and decommissioned_at is null`
}
