import { type deviceReports, isReportKey, type VerifiedReport } from '@isotherm/contract/device-reports.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job, Services } from '../../platform/services.ts'
import { download, type IssueJob } from '../../reporting/issued-report.ts'
import { fileNameOf, presentPublicPage, presentReport } from './present.ts'
import { findReport, listReports, type ReportRow } from './queries.ts'
import { reportOfKey } from './report-of-key.ts'
import { requestReport } from './request-report.ts'

const seen = async (ctx: Context, id: string): Promise<ReportRow> => orNotFound(await findReport(ctx, id))

// A device that cannot be is one that has no reports.
const filterId = (id: string | undefined) =>
  id === undefined ? undefined : Number(id) <= 2_147_483_647 ? Number(id) : -1

/** Reports of other features that have a public page, too. */
export type VerifyOther = (services: Services, key: string) => Promise<VerifiedReport | undefined>

export const deviceReportHandlers = (job: Job<IssueJob>, verifyOther: VerifyOther): Handlers<typeof deviceReports> => ({
  request: async (ctx, input) => presentReport(await requestReport(ctx, job, input)),
  list: async (ctx, { query }) => {
    return presentPage(query, await listReports(ctx, { ...query, deviceId: filterId(query.deviceId) }), presentReport)
  },
  one: async (ctx, { params }) => presentReport(await seen(ctx, params.id)),
  async download(ctx, { params }) {
    const row = await seen(ctx, params.id)
    const target = { kind: 'device', id: String(row.device_id), name: row.device_name }
    const entry = { action: 'devices.reportDownloaded', target, after: { format: row.format } }
    return download(ctx, row, fileNameOf(row), entry)
  },
  async verify({ services }, { params: { key } }) {
    const own = isReportKey(key) ? await reportOfKey(services, key) : undefined
    const report = own ? presentPublicPage(own) : isReportKey(key) && (await verifyOther(services, key))
    if (!report) throw new AppError('NOT_FOUND')
    return report
  },
})
