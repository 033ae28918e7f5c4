import type { GroupReport } from '@isotherm/contract/group-reports.ts'
import { fileNameOf as issuedFileName } from '../../reporting/issued-report.ts'
import { presentIssued } from '../../reporting/present.ts'
import type { GroupReportRow } from './queries.ts'

export const presentReport = (row: GroupReportRow): GroupReport => ({
  ...presentIssued(row),
  groupId: row.group_id,
  groupName: row.group_name,
  format: row.format as GroupReport['format'],
  devices: row.devices,
})

export const fileNameOf = (row: GroupReportRow): string => issuedFileName(`group-${row.group_id}`, row)
