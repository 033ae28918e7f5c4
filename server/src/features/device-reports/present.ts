import type { DeviceReport, VerifiedReport } from '@isotherm/contract/device-reports.ts'
import type { RecordReport } from '@isotherm/contract/records.ts'
import { fileNameOf as issuedFileName } from '../../reporting/issued.ts'
import type { ReportRow } from './queries.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null
const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null
const periodOf = (row: ReportRow) => ({ from: row.period_from.toISOString(), to: row.period_to.toISOString() })

export const presentReport = (row: ReportRow): DeviceReport => ({
  ...presentIssue(row),
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  format: row.format as DeviceReport['format'],
})

/** The facts that every report has, whatever its subject. */
export const presentIssue = (row: ReportRow): RecordReport => ({
  id: row.id,
  key: row.report_key,
  period: periodOf(row),
  timezone: row.timezone,
  state: row.state as DeviceReport['state'],
  progress: row.progress,
  failure: row.failure as DeviceReport['failure'],
  requestedBy: row.requested_by_name,
  createdAt: row.created_at.toISOString(),
  finishedAt: iso(row.finished_at),
  dataAsOf: iso(row.data_as_of),
  readings: row.readings,
  pages: row.pages,
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  dataSha256: hex(row.data_sha256),
  fileSha256: hex(row.file_sha256),
  removedAt: iso(row.removed_at),
})

/** The content of the public page; null for a report that is not ready. */
export function presentVerified(row: ReportRow): VerifiedReport | null {
  const { finished_at, data_as_of, readings, size_bytes, data_sha256, file_sha256 } = row
  if (row.state !== 'ready' || !finished_at || !data_as_of || !data_sha256 || !file_sha256) return null
  return {
    company: row.company_name,
    deviceName: row.device_name,
    devices: null,
    imeis: row.imeis,
    period: periodOf(row),
    timezone: row.timezone,
    format: row.format as VerifiedReport['format'],
    issuedAt: finished_at.toISOString(),
    dataAsOf: data_as_of.toISOString(),
    readings: readings ?? 0,
    pages: row.pages,
    sizeBytes: Number(size_bytes),
    dataSha256: data_sha256.toString('hex'),
    fileSha256: file_sha256.toString('hex'),
  }
}

export const fileNameOf = (row: ReportRow): string =>
  issuedFileName(`report-${row.device_id ?? `record-${row.record_id}`}`, row)
