import { type RawBuilder, sql } from 'kysely'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'

/** The reports a person may see, as a condition over `reports r`: all of whose devices and groups they may see. */
export const visibleReportSql = (ctx: Pick<Context, 'companyId' | 'person'>): RawBuilder<boolean> =>
  seesPrivate(ctx.person)
    ? sql<boolean>`r.company_id = ${ctx.companyId} and r.archived_at is null`
    : sql<boolean>`r.company_id = ${ctx.companyId} and r.archived_at is null and not exists (
        select from report_targets x join devices d on d.company_id = x.company_id and d.id = x.device_id
          where x.company_id = r.company_id and x.report_id = r.id and d.visibility = 'private')
      and not exists (
        select from report_targets x where x.company_id = r.company_id and x.report_id = r.id and x.group_id is not null
          and not exists (select from groups g where g.id = x.group_id and ${visibleGroupSql(ctx)}))`
