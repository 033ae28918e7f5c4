import type { GroupReportOrder, groupReports } from '@isotherm/contract/group-reports.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import { refuseFurtherReport } from '../../core/quotas/waiting-reports.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { askedValues, fileOf, type IssueJob } from '../../reporting/issued.ts'
import { fileNameOf, presentReport } from './present.ts'
import { findReport, type GroupReportRow, insertReport, listReports } from './queries.ts'

async function seen(ctx: Context, id: string): Promise<GroupReportRow> {
  const row = await findReport(ctx, id)
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

const target = (row: GroupReportRow) => ({ kind: 'group', id: row.group_id, name: row.group_name })

/** Asks for a report: it is built in the background and mailed to who asked. */
async function request(ctx: Context, job: Job<IssueJob>, order: GroupReportOrder): Promise<GroupReportRow> {
  const group = await findGroup(ctx, order.groupId)
  await refuseFurtherReport(ctx)
  const asked = await askedValues(ctx, order, order.format)
  const row = await insertReport(ctx, { ...asked, group_id: group.id, group_name: group.name })
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  const { from, to, format } = order
  ctx.audit({ action: 'groups.reportRequested', target: target(row), after: { report: row.id, from, to, format } })
  return row
}

async function download(ctx: Context, id: string) {
  const row = await seen(ctx, id)
  const file = await fileOf(ctx, row, fileNameOf(row))
  ctx.audit({
    action: 'groups.reportDownloaded',
    target: target(row),
    after: { report: row.id, format: row.format },
  })
  return file
}

export const groupReportHandlers = (job: Job<IssueJob>): Handlers<typeof groupReports> => ({
  requestReport: async (ctx, { body }) => presentReport(await request(ctx, job, body)),
  async reports(ctx, { params, query }) {
    const group = await findGroup(ctx, params.id)
    const { rows, total } = await listReports(ctx, group.id, query)
    return { data: rows.map(presentReport), meta: metaOf(query, total) }
  },
  report: async (ctx, { params }) => presentReport(await seen(ctx, params.id)),
  reportFile: (ctx, { params }) => download(ctx, params.id),
})
