import { type deviceReports, isReportKey, type VerifiedReport } from '@isotherm/contract/device-reports.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { fileOf, type IssueJob } from '../../reporting/issued.ts'
import { fileNameOf, presentReport, presentVerified } from './present.ts'
import { findReport, listReports, type ReportRow } from './queries.ts'
import { reportOfKey } from './report-of-key.ts'
import { requestReport } from './request-report.ts'

async function seen(ctx: Context, id: string): Promise<ReportRow> {
  const row = await findReport(ctx, id)
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

async function download(ctx: Context, id: string) {
  const row = await seen(ctx, id)
  const file = await fileOf(ctx, row, fileNameOf(row))
  ctx.audit({
    action: 'devices.reportDownloaded',
    target: { kind: 'device', id: String(row.device_id), name: row.device_name },
    after: { report: row.id, format: row.format },
  })
  return file
}

// A device that cannot be is one that has no reports.
const filterId = (id: string | undefined) =>
  id === undefined ? undefined : Number(id) <= 2_147_483_647 ? Number(id) : -1

/** Reports of other features that have a public page, too. */
export type VerifyOther = (services: Services, key: string) => Promise<VerifiedReport | undefined>

export const deviceReportHandlers = (job: Job<IssueJob>, verifyOther: VerifyOther): Handlers<typeof deviceReports> => ({
  request: async (ctx, input) => presentReport(await requestReport(ctx, job, input)),
  list: async (ctx, { query }) => {
    const { rows, total } = await listReports(ctx, { ...query, deviceId: filterId(query.deviceId) })
    return { data: rows.map(presentReport), meta: metaOf(query, total) }
  },
  one: async (ctx, { params }) => presentReport(await seen(ctx, params.id)),
  download: (ctx, { params }) => download(ctx, params.id),
  async verify({ services }, { params: { key } }) {
    const own = isReportKey(key) ? await reportOfKey(services, key) : undefined
    const report = own ? presentVerified(own) : isReportKey(key) && (await verifyOther(services, key))
    if (!report) throw new AppError('NOT_FOUND')
    return report
  },
})
