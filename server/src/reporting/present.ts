import type { IssuedReport, ReportContents, VerifiedReport } from '@isotherm/contract/device-reports.ts'
import type { z } from 'zod'
import type { IssuedRow } from './issued-report.ts'

/** The period of a report or a run. */
export const presentPeriod = ({ period_from, period_to }: { period_from: Date; period_to: Date }) => ({
  from: period_from.toISOString(),
  to: period_to.toISOString(),
})

/** The facts about every report that somebody asks for, once. */
export const presentIssued = (row: IssuedRow): z.output<typeof IssuedReport> => ({
  id: row.id,
  period: presentPeriod(row),
  timezone: row.timezone,
  state: row.state as 'waiting',
  progress: row.progress,
  failure: row.failure as 'broken' | null,
  requestedBy: row.requested_by_name,
  contents: row.contents as ReportContents[],
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  pages: row.pages,
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  fileSha256: row.file_sha256?.toString('hex') ?? null,
  removedAt: row.removed_at?.toISOString() ?? null,
})

interface VerifiedRow {
  company_name: string
  period_from: Date
  period_to: Date
  timezone: string
  format: string
  readings: number | null
  pages: number | null
  size_bytes: string | null
  data_sha256: Buffer
  file_sha256: Buffer
}

/** The facts about every file whose key has a public page. */
export const presentVerified = (row: VerifiedRow) => ({
  company: row.company_name,
  period: presentPeriod(row),
  timezone: row.timezone,
  format: row.format as VerifiedReport['format'],
  readings: row.readings ?? 0,
  pages: row.pages,
  sizeBytes: Number(row.size_bytes),
  dataSha256: row.data_sha256.toString('hex'),
  fileSha256: row.file_sha256.toString('hex'),
})
