import type { ReportContents } from '@isotherm/contract/device-reports.ts'
import type { GroupReportOrder, groupReports } from '@isotherm/contract/group-reports.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/services.ts'
import { download, type IssueJob, newIssue } from '../../reporting/issued-report.ts'
import { fileNameOf, presentReport } from './present.ts'
import { findReport, type GroupReportRow, insertReport, listReports } from './queries.ts'

const usual: ReportContents[] = ['stats', 'charts', 'excursions']

const seen = async (ctx: Context, id: string): Promise<GroupReportRow> => orNotFound(await findReport(ctx, id))

const target = (row: GroupReportRow) => ({ kind: 'group', id: row.group_id, name: row.group_name })

/** Asks for a report: it is built in the background and mailed to its recipients. Throws NOT_FOUND, REPORTS_WAITING, QUOTA_EXCEEDED or VALIDATION. */
async function request(ctx: Context, job: Job<IssueJob>, order: GroupReportOrder): Promise<GroupReportRow> {
  const group = await findGroup(ctx, order.groupId)
  const row = await insertReport(ctx, {
    ...(await newIssue(ctx, order, order.format === 'csv' ? ['stats'] : usual)),
    group_id: group.id,
    group_name: group.name,
  })
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  const { from, to, format, recipients } = order
  const after = { report: row.id, from, to, format, contents: row.contents, recipients: recipients?.length ?? 1 }
  ctx.audit({ action: 'groups.reportRequested', target: target(row), after })
  return row
}

export const groupReportHandlers = (job: Job<IssueJob>): Handlers<typeof groupReports> => ({
  requestReport: async (ctx, { body }) => presentReport(await request(ctx, job, body)),
  async reports(ctx, { params, query }) {
    const group = await findGroup(ctx, params.id)
    return presentPage(query, await listReports(ctx, group.id, query), presentReport)
  },
  report: async (ctx, { params }) => presentReport(await seen(ctx, params.id)),
  async reportFile(ctx, { params }) {
    const row = await seen(ctx, params.id)
    const entry = { action: 'groups.reportDownloaded', target: target(row), after: { format: row.format } }
    return download(ctx, row, fileNameOf(row), entry)
  },
})
