import { done } from '@isotherm/contract/common.ts'
import type { RecordReport, records } from '@isotherm/contract/records.ts'
import { refuseInfected, type Scanner } from '../../platform/files/virus-scan.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Before, FileBody, Handlers } from '../../platform/http/serve.ts'
import { recordsCsv } from './csv.ts'
import { addNote, attach, readAttachment, removeAttachment, removeNote } from './notes-and-attachments.ts'
import {
  type ChartSource,
  listRecords,
  presentOne,
  recordChart,
  recordDetails,
  recordStats,
  type StatsSource,
} from './record-reads.ts'
import { findRecord, windowOf } from './record-visibility.ts'
import { signRecord } from './sign.ts'
import { addRecord, endRecord, removeRecord, startRecord } from './verbs.ts'

/** Reports of records, which another feature writes. The app puts it in. */
export interface RecordReports {
  request(ctx: Context, record: { id: string; name: string; from: Date; to: Date }): Promise<RecordReport>
  list(ctx: Context, recordId: string): Promise<RecordReport[]>
  /** The record a report is of; throws NOT_FOUND. */
  recordOf(ctx: Context, reportId: string): Promise<string>
  file(ctx: Context, reportId: string): Promise<FileBody>
}

export interface RecordParts {
  stats: StatsSource
  chart: ChartSource
  reports: RecordReports
}

/** A record of devices: a group's begins, ends and goes by the group's own calls, which ask for other permissions, while there is the group. */
async function ofDevices(ctx: Context, id: string): Promise<string> {
  const record = await findRecord(ctx, id)
  if (record.group_id !== null && !record.group_gone) throw new AppError('NOT_FOUND')
  return record.id
}

export const recordHandlers = ({ stats, chart, reports }: RecordParts): Handlers<typeof records> => ({
  list: (ctx, { query }) => listRecords(ctx, query, null),
  exportCsv: (ctx, { query }) => recordsCsv(ctx, query, null),
  add: async (ctx, { body }) => presentOne(ctx, await addRecord(ctx, body)),
  one: (ctx, { params }) => recordDetails(ctx, params.id),
  async remove(ctx, { params }) {
    await removeRecord(ctx, await ofDevices(ctx, params.id))
    return done
  },
  async start(ctx, { params }) {
    await startRecord(ctx, await ofDevices(ctx, params.id))
    return presentOne(ctx, params.id)
  },
  async end(ctx, { params }) {
    await endRecord(ctx, await ofDevices(ctx, params.id))
    return presentOne(ctx, params.id)
  },
  stats: async (ctx, { params }) => recordStats(ctx, stats, await findRecord(ctx, params.id)),
  chart: async (ctx, { params, query }) => recordChart(ctx, chart, await findRecord(ctx, params.id), query),
  sign: (ctx, { params, body }) => signRecord(ctx, params.id, body),
  addNote: (ctx, { params, body }) => addNote(ctx, params.id, body.text),
  async removeNote(ctx, { params }) {
    await removeNote(ctx, params.id)
    return done
  },
  attach: (ctx, { params, body }) => attach(ctx, params.id, body),
  attachment: (ctx, { params }) => readAttachment(ctx, params.id),
  async removeAttachment(ctx, { params }) {
    await removeAttachment(ctx, params.id)
    return done
  },
  async report(ctx, { params }) {
    const record = await findRecord(ctx, params.id)
    if (record.state === 'planned') throw new AppError('RECORD_NOT_STARTED')
    const { from, to } = windowOf(record, ctx.clock.now())
    return reports.request(ctx, { id: record.id, name: record.name, from: new Date(from), to: new Date(to) })
  },
  reports: async (ctx, { params }) => reports.list(ctx, (await findRecord(ctx, params.id)).id),
  async reportFile(ctx, { params }) {
    await findRecord(ctx, await reports.recordOf(ctx, params.id))
    return reports.file(ctx, params.id)
  },
})

/** Files are scanned before the call's transaction: a scanner may take its time. */
export const beforeRecords = (clamd: Scanner | null): Before<typeof records> =>
  clamd ? { attach: ({ body }) => refuseInfected(clamd, Buffer.from(body.contentBase64, 'base64')) } : {}
