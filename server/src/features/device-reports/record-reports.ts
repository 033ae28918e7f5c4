import type { ReportChoice } from '@isotherm/contract/device-reports.ts'
import type { RecordReport } from '@isotherm/contract/records.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import type { Job } from '../../platform/services.ts'
import { download, type IssueJob } from '../../reporting/issued-report.ts'
import { fileNameOf, presentRecordReport } from './present.ts'
import { findOfRecord, reportsOfRecord } from './queries.ts'
import { orderReport } from './request-report.ts'

/** A record whose report is asked for, and which its caller may see. */
interface ReportedRecord {
  id: string
  name: string
  from: Date
  to: Date
}

const maxListed = 20

const findReport = async (ctx: Context, id: string) => orNotFound(await findOfRecord(ctx, id))

/**
 * The reports of records, as the feature that keeps them asks for them; whoever asks has checked who may see the record. One that
 * tells of a device that the person does not see now is not there for them.
 */
export const recordReports = (job: Job<IssueJob>) => ({
  /** Throws REPORTS_WAITING, QUOTA_EXCEEDED or VALIDATION. */
  async request(ctx: Context, record: ReportedRecord, choice: ReportChoice): Promise<RecordReport> {
    const period = { from: record.from.toISOString(), to: record.to.toISOString() }
    const of = { record_id: record.id, device_name: record.name }
    const row = await orderReport(ctx, job, of, { ...period, ...choice, format: 'pdf' })
    ctx.audit({
      action: 'records.reportRequested',
      target: { kind: 'record', id: record.id, name: record.name },
      after: { report: row.id, contents: row.contents, recipients: choice.recipients?.length ?? 1 },
    })
    return presentRecordReport(row)
  },
  async list(ctx: Context, recordId: string): Promise<RecordReport[]> {
    return (await reportsOfRecord(ctx, recordId, maxListed)).map(presentRecordReport)
  },
  /** The record a report is of; throws NOT_FOUND. */
  recordOf: async (ctx: Context, reportId: string): Promise<string> => (await findReport(ctx, reportId)).record_id,
  async file(ctx: Context, reportId: string) {
    const row = await findReport(ctx, reportId)
    const target = { kind: 'record', id: row.record_id, name: row.device_name }
    return download(ctx, row, fileNameOf(row), { action: 'records.reportDownloaded', target })
  },
})
