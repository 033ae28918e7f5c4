import { buildReport, mailReport } from './features/device-reports/jobs.ts'
import type { ReportSources } from './features/device-reports/sources.ts'
import { deviceHandlers } from './features/devices/routes.ts'
import { excursionHandlers } from './features/excursions/routes.ts'
import { reportedRecord } from './features/records/record-reads.ts'
import { seesRecord } from './features/records/visibility-queries.ts'
import { statsHandlers, statsOfDevice } from './features/stats/routes.ts'

const body = {}

/** A report says what the calls say: it asks the same handlers. */
const sources: ReportSources = {
  device: (ctx, id) => deviceHandlers.one(ctx, { params: { id }, query: {}, body }),
  stats: (ctx, id, period) => statsHandlers.device(ctx, { params: { id }, query: period, body }),
  excursions: (ctx, id, period, page) =>
    excursionHandlers.ofDevice(ctx, { params: { id }, query: { ...period, page, perPage: 200, sort: 'start' }, body }),
  chart: (ctx, id, period) => deviceHandlers.chart(ctx, { params: { id }, query: { ...period, points: 900 }, body }),
  path: (ctx, id, period) =>
    deviceHandlers.mapPoints(ctx, { params: { id }, query: { ...period, points: 1500 }, body }),
  record: (ctx, id) => reportedRecord(ctx, statsOfDevice, id),
  seesRecord,
}

export const deviceReportMail = mailReport(sources)
export const deviceReport = buildReport(sources, deviceReportMail)
