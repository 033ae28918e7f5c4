import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { onBehalf } from '../../platform/auth/on-behalf.ts'
import type { DeviceReader } from '../../platform/devices/device-reader.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { buildIssued, type IssueKind, mailIssued, periodQuery } from '../../reporting/issue-jobs.ts'
import type { IssueJob } from '../../reporting/issued.ts'
import {
  deviceIdsOf,
  gather,
  gatherRecord,
  nameOf,
  partsOf,
  type RecordContent,
  type ReportContent,
} from './content.ts'
import { fileNameOf } from './present.ts'
import { type ReportRow, seesIssue } from './queries.ts'
import type { RecordReader } from './record-reader.ts'
import { runWriter, type Written } from './run-writer.ts'

const kindOf = (records: RecordReader): IssueKind<'device_reports'> => ({
  table: 'device_reports',
  name: 'device-report',
  needs: 'devices.export',
  sees: async (ctx, row) =>
    (await seesIssue(ctx, row.id)) && (row.record_id === null || (await records.seesRecord(ctx, row.record_id))),
  fileNameOf,
  mail: {
    texts: 'deviceReports:mail',
    values(row, { config }) {
      const zoned = (at: Date) => `${dayIn(at, row.timezone)} (${row.timezone})`
      return {
        device: row.device_name,
        from: zoned(row.period_from),
        to: zoned(row.period_to),
        verify: `${config.publicUrl}/verify-report/${row.report_key}`,
      }
    },
    page: (row) =>
      row.record_id === null ? `/devices/report/${row.device_id}?${periodQuery(row)}` : `/records/${row.record_id}`,
  },
})

/** "2026-11-20 14:03" as clocks in the zone show it. */
const dayIn = (at: Date, zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at)

export const mailReport = (records: RecordReader): Job<IssueJob> => mailIssued(kindOf(records))

/** Builds a report in a process of its own. */
export const buildReport = (reader: DeviceReader, records: RecordReader, mail: Job<IssueJob>) =>
  buildIssued(kindOf(records), mail, async (services, row, path, onProgress) => {
    let content: ReportContent | RecordContent | undefined
    let writing: Promise<Written> | undefined
    const who = { companyId: row.company_id, userId: row.requested_by }
    // The snapshot lives as long as this transaction: until the writer reads by it too.
    await onBehalf(services, who, async (ctx, snapshot) => {
      if (!ctx.can('devices.export')) return
      content = await contentOf(ctx, reader, records, row)
      const databaseUrl = String(services.pool.options.connectionString)
      const format = row.format as ReportFormat
      const writer = runWriter({ databaseUrl, snapshot, content, format, path, onProgress })
      writing = writer.written
      await writer.reading
    })
    if (!content || !writing) throw new AppError('NOT_FOUND')
    const { readings, dataSha256, pages, fileSha256 } = await writing
    return {
      asOf: content.issuedAt,
      pages,
      fileSha256,
      values: {
        company_name: content.company,
        device_name: nameOf(content),
        period_to: new Date(content.period.to),
        imeis: [...new Set(partsOf(content).flatMap(({ hardware }) => hardware.map(({ imei }) => imei)))],
        device_ids: deviceIdsOf(content),
        readings,
        data_sha256: Buffer.from(dataSha256, 'hex'),
      },
    }
  })

/** Builds the file of a device or of a record, whichever the report is about. */
function contentOf(
  ctx: Context,
  reader: DeviceReader,
  records: RecordReader,
  row: ReportRow,
): Promise<ReportContent | RecordContent> {
  if (row.record_id !== null) return gatherRecord(ctx, reader, records, row, row.record_id)
  if (row.device_id === null) throw new Error(`report ${row.id} is of nothing`)
  return gather(ctx, reader, row, row.device_id)
}
