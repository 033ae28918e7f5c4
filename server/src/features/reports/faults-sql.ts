import type { SilencedReportsQuery } from '@isotherm/contract/reports.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { otherThan } from '../../platform/db/other-than.ts'
import { allRows } from '../../platform/db/rows.ts'
import { visibleReportSql } from './visible-sql.ts'

const recipients = (but?: string) => sql`select from report_recipients x
  left join users u on u.company_id = x.company_id and u.id = x.user_id
  where x.company_id = r.company_id and x.report_id = r.id and u.archived_at is null
    and ${otherThan(sql`x.user_id`, but)}`

const covered = (but: { device?: string; group?: string } = {}) => sql`select from report_targets x
  left join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
  join devices d on d.company_id = x.company_id and d.id = case when x.device_id is null then g.device_id else x.device_id end
  where x.company_id = r.company_id and x.report_id = r.id and d.decommissioned_at is null
    and ${otherThan(sql`d.id`, but.device)} and ${otherThan(sql`x.group_id`, but.group)}`

const faults = {
  tellsNobody: sql<boolean>`not exists (${recipients()})`,
  coversNothing: sql<boolean>`not exists (${covered()})`,
}

/** The faults that keep a report (`reports r`) from doing its work, as an array of the names in the contract. */
export const faultsSql: RawBuilder<string[]> = sql`array_remove(array[${sql.join(
  Object.entries(faults).map(([name, isSo]) => sql`case when ${isSo} then ${sql.lit(name)} end`),
)}], null)`

/** Reports (`reports r`) that have a fault; one that is paused tells nobody on purpose. */
export const faultySql: RawBuilder<boolean> = sql`(r.next_run_at is not null
  and (${sql.join(Object.values(faults), sql` or `)}))`

const loses = {
  user: (id: string) => sql`not (${faults.tellsNobody}) and not exists (${recipients(id)})`,
  device: (id: string) => sql`not (${faults.coversNothing}) and not exists (${covered({ device: id })})`,
  group: (id: string) => sql`not (${faults.coversNothing}) and not exists (${covered({ group: id })})`,
}

/** The reports, as far as the person may see them, that get a fault when this person, device or group goes; by name. */
export const silencedReports = (ctx: Context, { without, id }: SilencedReportsQuery) =>
  allRows<{ id: string; name: string }>(ctx.tx)`select r.id::text as id, r.name from reports r
    where ${visibleReportSql(ctx)} and ${loses[without](id)} order by lower(r.name), r.id limit 50`

/** How many of the reports that the person may see have a fault; null for a role that may not see reports. */
export async function reportsOnDashboard(ctx: Context): Promise<{ faulty: number } | null> {
  if (!ctx.can('reports.view')) return null
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from reports r
    where ${visibleReportSql(ctx)} and ${faultySql}`.execute(ctx.tx)
  return { faulty: rows[0]?.n ?? 0 }
}
