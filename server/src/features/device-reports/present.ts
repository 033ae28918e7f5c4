import type { DeviceReport, VerifiedReport } from '@isotherm/contract/device-reports.ts'
import type { RecordReport } from '@isotherm/contract/records.ts'
import { fileNameOf as issuedFileName } from '../../reporting/issued-report.ts'
import { presentIssued, presentVerified } from '../../reporting/present.ts'
import type { ReportRow } from './queries.ts'

export const presentReport = (row: ReportRow): DeviceReport => ({
  ...presentRecordReport(row),
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  format: row.format as DeviceReport['format'],
})

export const presentRecordReport = (row: ReportRow): RecordReport => ({
  ...presentIssued(row),
  key: row.report_key,
  dataAsOf: row.data_as_of?.toISOString() ?? null,
  readings: row.readings,
  dataSha256: row.data_sha256?.toString('hex') ?? null,
})

/** The content of the public page; null for a report that is not ready. */
export function presentPublicPage(row: ReportRow): VerifiedReport | null {
  const { finished_at, data_as_of, data_sha256, file_sha256 } = row
  if (row.state !== 'ready' || !finished_at || !data_as_of || !data_sha256 || !file_sha256) return null
  return {
    ...presentVerified({ ...row, data_sha256, file_sha256 }),
    deviceName: row.device_name,
    devices: null,
    imeis: row.imeis,
    issuedAt: finished_at.toISOString(),
    dataAsOf: data_as_of.toISOString(),
  }
}

export const fileNameOf = (row: ReportRow): string =>
  issuedFileName(`report-${row.device_id ?? `record-${row.record_id}`}`, row)
