import type { Measure } from '@isotherm/contract/device-limits.ts'
import { sql } from 'kysely'
import { heldUntilSql, reachesIntoSql, withinSql } from '../../core/devices/excursion-sql.ts'
import { countedDevicesSql } from '../../core/groups/visible-groups.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import { hourMs } from '../../domain/rollup.ts'
import type { Context } from '../../platform/context.ts'

export interface Span {
  from: number
  to: number
}

export interface Sums {
  devices: number
  measuring: number
  readings: number
  min: number | null
  max: number | null
  sum: number | null
}

export interface ExcursionSums {
  devices: number
  count: number
  above: number
  below: number
}

const members = (ctx: Context, groupId: string) =>
  sql`members as materialized (select d.company_id, d.id, d.licence_until from ${countedDevicesSql(ctx, groupId)})`

/** The values of all the group's devices together, exact: rollups of whole hours, raw readings at both edges. */
export async function addUp(ctx: Context, groupId: string, measure: Measure, { from, to }: Span): Promise<Sums> {
  const first = Math.ceil(from / hourMs) * hourMs
  const end = Math.max(first, Math.floor(to / hourMs) * hourMs)
  const value = sql.raw(`${measure}_centi`)
  const column = (name: string) => sql.raw(`r.${measure}_${name}`)
  const edge = (start: number, before: number) => sql`
    select r.device_id, min(r.${value}) as min, max(r.${value}) as max, sum(r.${value})::float8 as sum, count(*)::int as n
    from members v join readings r on r.company_id = v.company_id and r.device_id = v.id
    where r.company_id = ${ctx.companyId} and r.measured_at >= ${new Date(start)} and r.measured_at < ${new Date(before)}
      and r.${value} is not null and ${isShownSql('v', 'r.measured_at')} group by 1`
  // A period within one hour, or without a whole hour, has one edge.
  const edges = first >= to ? edge(from, to + 1) : sql`${edge(from, first)} union all ${edge(end, to + 1)}`
  const { rows } = await sql<Sums>`
    with ${members(ctx, groupId)}, parts as (
      select r.device_id, min(${column('min_centi')}) as min, max(${column('max_centi')}) as max,
        sum(${column('sum_centi')})::float8 as sum, sum(${column('n')})::int as n
      from members v join readings_hourly r on r.company_id = v.company_id and r.device_id = v.id
      where r.company_id = ${ctx.companyId} and r.bucket >= ${new Date(first)} and r.bucket < ${new Date(end)}
        and ${column('n')} > 0 and ${isShownSql('v', 'r.bucket')} group by 1
      union all ${edges})
    select (select count(*)::int from members) as devices, count(distinct device_id)::int as measuring,
      coalesce(sum(n), 0)::int as readings, min(min) as min, max(max) as max, sum(sum)::float8 as sum from parts`.execute(
    ctx.tx,
  )
  return rows[0] ?? { devices: 0, measuring: 0, readings: 0, min: null, max: null, sum: null }
}

export async function addExcursions(
  ctx: Context,
  groupId: string,
  measure: Measure,
  span: Span,
): Promise<ExcursionSums> {
  const { rows } = await sql<ExcursionSums>`
    with ${members(ctx, groupId)}
    select count(distinct e.device_id)::int as devices, count(*)::int as count,
      coalesce(sum(greatest(0, ${withinSql(span)})) filter (where e.side = 'above'), 0)::float8 as above,
      coalesce(sum(greatest(0, ${withinSql(span)})) filter (where e.side = 'below'), 0)::float8 as below
    from members v join excursions e on e.company_id = v.company_id and e.device_id = v.id
    where e.company_id = ${ctx.companyId} and e.measure = ${measure} and ${reachesIntoSql(span)}
      and ${isShownSql('v', 'e.start_at')} and ${heldUntilSql} is not null`.execute(ctx.tx)
  return rows[0] ?? { devices: 0, count: 0, above: 0, below: 0 }
}
