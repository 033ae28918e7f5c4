import type { GroupReport } from '@isotherm/contract/group-reports.ts'
import { fileNameOf as issuedFileName } from '../../reporting/issued.ts'
import type { GroupReportRow } from './queries.ts'

export const presentReport = (row: GroupReportRow): GroupReport => ({
  id: row.id,
  groupId: row.group_id,
  groupName: row.group_name,
  period: { from: row.period_from.toISOString(), to: row.period_to.toISOString() },
  timezone: row.timezone,
  format: row.format as GroupReport['format'],
  state: row.state as GroupReport['state'],
  progress: row.progress,
  failure: row.failure as GroupReport['failure'],
  requestedBy: row.requested_by_name,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  devices: row.devices,
  pages: row.pages,
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  fileSha256: row.file_sha256?.toString('hex') ?? null,
  removedAt: row.removed_at?.toISOString() ?? null,
})

export const fileNameOf = (row: GroupReportRow): string => issuedFileName(`group-${row.group_id}`, row)
