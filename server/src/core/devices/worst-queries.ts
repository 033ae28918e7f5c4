import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import { openExcursionsSql } from './excursion-sql.ts'
import { filterSql, outOfRangeSql, statusSql } from './status-sql.ts'

export interface Worst {
  total: number
  outOfRange: number
  silent: number
  inRange: number
  /** The worst first: out of range, then silent, each since longest first; then the rest, by name. */
  ids: number[]
}

/** Devices of a condition over `devices d`, which decides who sees them, in their order of urgency; `limit` null is all. */
export async function findWorst(
  ctx: Pick<Context, 'tx' | 'companyId' | 'clock'>,
  only: RawBuilder<unknown>,
  limit: number | null,
): Promise<Worst> {
  const [out, silent] = [filterSql('outOfRange'), filterSql('silent')]
  // Asked only for those that are out: by the plan of an almost empty table each device would go through the whole of it.
  const outSince = sql`(select min(e.start_at) from ${openExcursionsSql(ctx.clock.now())} e
    where e.company_id = ${ctx.companyId} and e.device_id = found.id)`
  const found = await firstRow<Worst>(ctx.tx)`
    with found as materialized (
      select d.id, d.name, d.decommissioned_at, ${statusSql(ctx.clock.now())} as status, ${outOfRangeSql(ctx)} as out_of_range,
        l.measured_at
      from devices d left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
      where d.company_id = ${ctx.companyId} and d.decommissioned_at is null and ${only})
    select count(*)::int as total, count(*) filter (where ${out})::int as "outOfRange",
      count(*) filter (where ${silent})::int as silent, count(*) filter (where ${filterSql('inRange')})::int as "inRange",
      array(select id from found
        order by (${out}) desc, (${silent}) desc, case when ${out} then ${outSince} when ${silent} then measured_at end, lower(name), id
        limit ${limit}) as ids
    from found`
  return found ?? { total: 0, outOfRange: 0, silent: 0, inRange: 0, ids: [] }
}
