import { type Insertable, type Selectable, sql } from 'kysely'
import { seesAllOfSql } from '../../core/devices/visible-devices.ts'
import { seesDevicesSql, visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { PermittedViewer } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { GroupReports } from '../../platform/db/schema.ts'
import { seesAlarmsOfSql } from '../../reporting/contents-sql.ts'

export type GroupReportRow = Selectable<GroupReports>

export const insertReport = ({ tx }: PermittedViewer, values: Insertable<GroupReports>): Promise<GroupReportRow> =>
  tx.insertInto('group_reports').values(values).returningAll().executeTakeFirstOrThrow()

/**
 * A report of a group the person may see, whose devices and alarms they all see now, whoever asked for it. Who sees none of its devices
 * has what they asked for themselves, which tells of none.
 */
const seenSql = (
  ctx: PermittedViewer,
) => sql`r.company_id = ${ctx.companyId} and ${visibleGroupSql(ctx)} and ${seesAllOfSql(ctx, 'r')}
  and ${seesAlarmsOfSql(ctx, 'r')}
  and (${seesDevicesSql(ctx, 'r')} or (r.requested_by = ${ctx.person.id}::int8 and r.device_ids = '{}'))`

const source = sql`group_reports r join groups g on g.company_id = r.company_id and g.id = r.group_id`

export const findReport = (ctx: PermittedViewer, id: string): Promise<GroupReportRow | undefined> =>
  firstRow<GroupReportRow>(ctx.tx)`
    select r.* from ${source} where ${seenSql(ctx)} and r.id = ${id}::int8`

/** A page of a group's reports, newest first, and how many there are. */
export const listReports = (ctx: PermittedViewer, groupId: string, paging: { page: number; perPage: number }) =>
  pageOfRows<GroupReportRow>(ctx.tx, paging, {
    columns: sql`r.*`,
    from: sql`${source} where ${seenSql(ctx)} and r.group_id = ${groupId}::int8`,
    order: sql`r.created_at desc, r.id desc`,
  })
