import type { ReportChoice } from '@isotherm/contract/device-reports.ts'
import type { RecordReport, records } from '@isotherm/contract/records.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AfterCommit } from '../../platform/http/after-commit.ts'
import type { Before, FileBody, Handlers } from '../../platform/http/serve.ts'
import { addRecord } from './add-record.ts'
import { attach, readAttachment, removeAttachment, storeAttachment } from './attachments.ts'
import { recordsCsv } from './csv.ts'
import { endRecord } from './end-record.ts'
import { addNote, removeNote } from './notes.ts'
import { findRecord, lockDeviceRecord } from './policy.ts'
import { presentAttachment, presentNote, presentSignature } from './present.ts'
import {
  type ChartSource,
  listRecords,
  presentOne,
  recordChart,
  recordDetails,
  recordStats,
  type StatsSource,
} from './record-reads.ts'
import { windowOf } from './record-window.ts'
import { removeRecord } from './remove-record.ts'
import { signRecord } from './sign-record.ts'
import { startRecord } from './start-record.ts'

/** Reports of records, which another feature writes. The app puts it in. */
export interface RecordReports {
  request(
    ctx: Context,
    record: { id: string; name: string; from: Date; to: Date },
    choice: ReportChoice,
  ): Promise<RecordReport>
  list(ctx: Context, recordId: string): Promise<RecordReport[]>
  /** The record a report is of; throws NOT_FOUND. */
  recordOf(ctx: Context, reportId: string): Promise<string>
  file(ctx: Context, reportId: string): Promise<AfterCommit<FileBody>>
}

export interface RecordParts {
  stats: StatsSource
  chart: ChartSource
  reports: RecordReports
}

export const recordHandlers = ({ stats, chart, reports }: RecordParts): Handlers<typeof records> => ({
  list: (ctx, { query }) => listRecords(ctx, query, null),
  exportCsv: (ctx, { query }) => recordsCsv(ctx, query, null),
  add: async (ctx, { body }) => presentOne(ctx, (await addRecord(ctx, body)).id),
  one: (ctx, { params }) => recordDetails(ctx, params.id),
  remove: async (ctx, { params }) => removeRecord(ctx, await lockDeviceRecord(ctx, params.id)),
  async start(ctx, { params }) {
    await startRecord(ctx, await lockDeviceRecord(ctx, params.id))
    return presentOne(ctx, params.id)
  },
  async end(ctx, { params }) {
    await endRecord(ctx, await lockDeviceRecord(ctx, params.id))
    return presentOne(ctx, params.id)
  },
  stats: async (ctx, { params }) => recordStats(ctx, stats, await findRecord(ctx, params.id)),
  chart: async (ctx, { params, query }) => recordChart(ctx, chart, await findRecord(ctx, params.id), query),
  sign: async (ctx, { params, body }) => presentSignature(await signRecord(ctx, params.id, body)),
  addNote: async (ctx, { params, body }) => presentNote(await addNote(ctx, params.id, body)),
  removeNote: (ctx, { params, query }) => removeNote(ctx, params.id, query.seenSignatures),
  attach: async (ctx, { params, body }) => presentAttachment(await attach(ctx, params.id, body)),
  attachment: (ctx, { params }) => readAttachment(ctx, params.id),
  removeAttachment: (ctx, { params, query }) => removeAttachment(ctx, params.id, query.seenSignatures),
  async report(ctx, { params, body }) {
    const record = await findRecord(ctx, params.id)
    if (record.state === 'planned') throw new AppError('RECORD_NOT_STARTED')
    const { from, to } = windowOf(record, ctx.clock.now())
    const reported = { id: record.id, name: record.name, from: new Date(from), to: new Date(to) }
    return reports.request(ctx, reported, body)
  },
  reports: async (ctx, { params }) => reports.list(ctx, (await findRecord(ctx, params.id)).id),
  async reportFile(ctx, { params }) {
    await findRecord(ctx, await reports.recordOf(ctx, params.id))
    return reports.file(ctx, params.id)
  },
})

/** Files are scanned and stored before the call's transaction: scanner and bucket may take their time. */
export const beforeRecords: Before<typeof records> = {
  attach: ({ body }, uploads, services) => uploads.store(() => storeAttachment(body.file, uploads, services)),
}
