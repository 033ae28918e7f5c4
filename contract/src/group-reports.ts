import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, periodWith } from './common.ts'
import { IssuedReport, ReportFormat, refuseContents, reportChoice } from './device-reports.ts'
import { Paging, pageOf } from './paging.ts'

export const GroupReportOrder = periodWith({ groupId: Id, format: ReportFormat, ...reportChoice }).superRefine(
  refuseContents,
)
export type GroupReportOrder = z.infer<typeof GroupReportOrder>
/** A group's history, as a file. */
export const GroupReport = IssuedReport.extend({
  groupId: Id,
  groupName: z.string(),
  format: ReportFormat,
  devices: z.number().int().nullable(),
})
export type GroupReport = z.infer<typeof GroupReport>

export const groupReports = {
  requestReport: post('/groups/download-report', {
    needs: 'groups.export',
    summary: 'Builds the report of a group’s period and mails it to the caller, or to others of the team, or to nobody',
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
