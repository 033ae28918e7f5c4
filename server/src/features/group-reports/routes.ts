import type { GroupReportOrder, groupReports } from '@isotherm/contract/group-reports.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { openFiles } from '../../platform/files/files.ts'
import { findGroup } from '../../platform/groups/visible-groups.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { contentTypes } from '../../platform/paper/content-types.ts'
import type { GroupReportJob } from './jobs.ts'
import { fileNameOf, presentReport } from './present.ts'
import { findReport, type GroupReportRow, listReports } from './queries.ts'

async function seen(ctx: Context, id: string): Promise<GroupReportRow> {
  const row = await findReport(ctx, id)
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

const target = (row: GroupReportRow) => ({ kind: 'group', id: row.group_id, name: row.group_name })

/** Asks for a report: it is built in the background and mailed to who asked, in their language and time zone. */
async function request(ctx: Context, job: Job<GroupReportJob>, order: GroupReportOrder): Promise<GroupReportRow> {
  const group = await findGroup(ctx, order.groupId)
  const { timezone } = await ctx.tx
    .selectFrom('users')
    .select('timezone')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', ctx.person.id)
    .executeTakeFirstOrThrow()
  const row = await ctx.tx
    .insertInto('group_reports')
    .values({
      company_id: ctx.companyId,
      group_id: group.id,
      group_name: group.name,
      period_from: new Date(order.from),
      period_to: new Date(order.to),
      timezone,
      locale: ctx.locale,
      format: order.format,
      requested_by: ctx.person.id,
      requested_by_name: ctx.person.fullname,
      created_at: ctx.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  const { from, to, format } = order
  ctx.audit({ action: 'groups.reportRequested', target: target(row), after: { report: row.id, from, to, format } })
  return row
}

/** The file of a report that is ready; one that is not, or whose file is gone, has none. */
async function download(ctx: Context, id: string) {
  const row = await seen(ctx, id)
  const body = row.file_key === null ? undefined : await openFiles(ctx.services.config.dataDir).read(row.file_key)
  if (!body) throw new AppError('NOT_FOUND')
  ctx.audit({
    action: 'groups.reportDownloaded',
    target: target(row),
    after: { report: row.id, format: row.format },
  })
  return { body, filename: fileNameOf(row), contentType: contentTypes[row.format] }
}

export const groupReportHandlers = (job: Job<GroupReportJob>): Handlers<typeof groupReports> => ({
  requestReport: async (ctx, { body }) => presentReport(await request(ctx, job, body)),
  async reports(ctx, { params, query }) {
    const group = await findGroup(ctx, params.id)
    const { rows, total } = await listReports(ctx, group.id, query)
    return { data: rows.map(presentReport), meta: metaOf(query, total) }
  },
  report: async (ctx, { params }) => presentReport(await seen(ctx, params.id)),
  reportFile: (ctx, { params }) => download(ctx, params.id),
})
