import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, Instant, periodWith } from './common.ts'
import { ReportFormat } from './device-reports.ts'
import { Paging, pageOf } from './paging.ts'

const Count = z.number().int()

export const GroupReportOrder = periodWith({ groupId: Id, format: ReportFormat })
export type GroupReportOrder = z.infer<typeof GroupReportOrder>
/** A group's history, as a file. */
export const GroupReport = z.object({
  id: Id,
  groupId: Id,
  groupName: z.string(),
  period: z.object({ from: Instant, to: Instant }),
  timezone: z.string(),
  format: ReportFormat,
  state: z.enum(['waiting', 'building', 'ready', 'failed']),
  /** Percent. */
  progress: Count,
  failure: z.enum(['notVisible', 'broken']).nullable(),
  requestedBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  devices: Count.nullable(),
  pages: Count.nullable(),
  sizeBytes: Count.nullable(),
  /** Hex. */
  fileSha256: z.string().nullable(),
  /** When its time of keeping was over: its hash stays. */
  removedAt: Instant.nullable(),
})
export type GroupReport = z.infer<typeof GroupReport>

export const groupReports = {
  requestReport: post('/groups/download-report', {
    needs: 'groups.export',
    summary: 'Builds the report of a group’s period and sends it to the caller’s mail',
    body: GroupReportOrder,
    returns: GroupReport,
  }),
  reports: get('/groups/:id/reports', {
    needs: 'groups.view',
    summary: 'The reports of a group, newest first',
    query: z.strictObject({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(GroupReport),
  }),
  report: get('/group-reports/:id', {
    needs: 'groups.view',
    summary: 'One report: its state and progress',
    returns: GroupReport,
  }),
  reportFile: get('/group-reports/:id/file', {
    needs: 'groups.export',
    summary: 'The file of a report, once it is ready',
    returns: file('application/octet-stream'),
  }),
}
