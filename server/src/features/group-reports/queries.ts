import { type Selectable, sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'
import type { GroupReports } from '../../platform/db/schema.ts'
import { seesDevicesSql, visibleGroupSql } from '../../platform/groups/visible-groups.ts'
import type { Context } from '../../platform/http/context.ts'

export type GroupReportRow = Selectable<GroupReports>
type Scope = Pick<Context, 'tx' | 'companyId' | 'person' | 'can'>

/**
 * A report of a group the person may see. Its file tells what whoever asked for it saw: others get it where they see as
 * much, its devices and the private ones among them.
 */
const seenSql = (ctx: Scope) => sql`r.company_id = ${ctx.companyId} and ${visibleGroupSql(ctx)}
  and (r.requested_by = ${ctx.person.id}::int8 or ${seesPrivate(ctx.person)}::boolean
    or (not r.has_private and ${seesDevicesSql(ctx, 'r')}))`

const source = sql`group_reports r join groups g on g.company_id = r.company_id and g.id = r.group_id`

export async function findReport(ctx: Scope, id: string): Promise<GroupReportRow | undefined> {
  const { rows } = await sql<GroupReportRow>`
    select r.* from ${source} where ${seenSql(ctx)} and r.id = ${id}::int8`.execute(ctx.tx)
  return rows[0]
}

/** A page of a group's reports, newest first, and how many there are. */
export async function listReports(ctx: Scope, groupId: string, { page, perPage }: { page: number; perPage: number }) {
  const where = sql`${seenSql(ctx)} and r.group_id = ${groupId}::int8`
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${source} where ${where}`.execute(ctx.tx)
  const { rows } = await sql<GroupReportRow>`select r.* from ${source} where ${where}
    order by r.created_at desc, r.id desc limit ${perPage} offset ${(page - 1) * perPage}`.execute(ctx.tx)
  return { rows, total: counted.rows[0]?.n ?? 0 }
}
