import { randomBytes } from 'node:crypto'
import type { Input } from '@isotherm/contract/call.ts'
import type { deviceReports, ReportContents } from '@isotherm/contract/device-reports.ts'
import { findCompany } from '../../core/company/company.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import type { Job } from '../../platform/services.ts'
import { type IssueJob, newIssue, type ReportOrder } from '../../reporting/issued-report.ts'
import { insertReport, type ReportRow } from './queries.ts'

const usual: ReportContents[] = ['stats', 'charts', 'excursions', 'readings']

type Of = { device_id: number; device_name: string } | { record_id: string; device_name: string }

/**
 * Asks for a report of a device or a record: it is built in the background and mailed to its recipients. Throws REPORTS_WAITING,
 * QUOTA_EXCEEDED or VALIDATION.
 */
export async function orderReport(ctx: Context, job: Job<IssueJob>, of: Of, wanted: ReportOrder): Promise<ReportRow> {
  const row = await insertReport(ctx, {
    ...(await newIssue(ctx, wanted, wanted.format === 'csv' ? ['readings'] : usual)),
    ...of,
    device_ids: 'device_id' in of ? [of.device_id] : [],
    report_key: randomBytes(16).toString('hex'),
    company_name: (await findCompany(ctx.tx, ctx.companyId)).name,
  })
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  return row
}

/** Asks for a report of a device. Throws NOT_FOUND, REPORTS_WAITING, QUOTA_EXCEEDED or VALIDATION. */
export async function requestReport(
  ctx: Context,
  job: Job<IssueJob>,
  { params, body }: Input<typeof deviceReports.request>,
): Promise<ReportRow> {
  const device = await findVisible(ctx, deviceIdOf(params.id))
  const row = await orderReport(ctx, job, { device_id: device.id, device_name: device.name }, body)
  ctx.audit({
    action: 'devices.reportRequested',
    target: { kind: 'device', id: String(device.id), name: device.name },
    after: {
      report: row.id,
      from: body.from,
      to: body.to,
      format: body.format,
      contents: row.contents,
      recipients: body.recipients?.length ?? 1,
    },
  })
  return row
}
