import type { RecordReport } from '@isotherm/contract/records.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { fileOf, type IssueJob } from '../../platform/paper/issued.ts'
import { fileNameOf, presentIssue } from './present.ts'
import type { ReportRow } from './queries.ts'
import { orderReport } from './request-report.ts'

/** A record whose report is asked for, and which its caller may see. */
interface ReportedRecord {
  id: string
  name: string
  from: Date
  to: Date
}

const mostListed = 20

const ofRecord = (ctx: Context) =>
  ctx.tx
    .selectFrom('device_reports')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('record_id', 'is not', null)

async function findReport(ctx: Context, id: string): Promise<ReportRow & { record_id: string }> {
  const row = await ofRecord(ctx).where('id', '=', id).executeTakeFirst()
  if (!row?.record_id) throw new AppError('NOT_FOUND')
  return { ...row, record_id: row.record_id }
}

/** The reports of records, as the feature that keeps them asks for them; whoever asks has checked who may see the record. */
export const recordReports = (job: Job<IssueJob>) => ({
  async request(ctx: Context, record: ReportedRecord): Promise<RecordReport> {
    const period = { from: record.from.toISOString(), to: record.to.toISOString() }
    const of = { record_id: record.id, device_name: record.name }
    const row = await orderReport(ctx, job, of, { ...period, format: 'pdf' })
    ctx.audit({
      action: 'records.reportRequested',
      target: { kind: 'record', id: record.id, name: record.name },
      after: { report: row.id },
    })
    return presentIssue(row)
  },
  async list(ctx: Context, recordId: string): Promise<RecordReport[]> {
    const rows = await ofRecord(ctx)
      .where('record_id', '=', recordId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostListed)
      .execute()
    return rows.map(presentIssue)
  },
  /** The record a report is of; throws NOT_FOUND. */
  recordOf: async (ctx: Context, reportId: string): Promise<string> => (await findReport(ctx, reportId)).record_id,
  async file(ctx: Context, reportId: string) {
    const row = await findReport(ctx, reportId)
    const file = await fileOf(ctx, row, fileNameOf(row))
    ctx.audit({
      action: 'records.reportDownloaded',
      target: { kind: 'record', id: row.record_id, name: row.device_name },
      after: { report: row.id },
    })
    return file
  },
})
