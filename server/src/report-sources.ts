import { alarmHandlers } from './features/alarms/routes.ts'
import { drawChart } from './features/device-history/draw-chart.ts'
import { excursionHandlers } from './features/excursions/routes.ts'
import { buildRun } from './features/reports/build-run.ts'
import type { ReportSources } from './features/reports/sources.ts'
import { statsHandlers } from './features/stats/routes.ts'
import { nearestTownName } from './platform/gazetteer/nearest-town.ts'

const body = {}
const states = 'open,acknowledged,normal,resolved'
const { triggers } = alarmHandlers({ nearestTownName })

/** A scheduled report says what the calls say: it asks the same handlers. */
const sources: ReportSources = {
  stats: (ctx, id, period) => statsHandlers.device(ctx, { params: { id }, query: period, body }),
  chart: (ctx, id, period) => drawChart(ctx, { params: { id }, query: { ...period, points: 450 }, body }),
  excursions: (ctx, id, period, page) =>
    excursionHandlers.ofDevice(ctx, { params: { id }, query: { ...period, page, perPage: 200, sort: 'start' }, body }),
  alarms: (ctx, id, period, page) =>
    triggers(ctx, { params: {}, query: { ...period, device: id, page, perPage: 200, sort: 'openedAt', states }, body }),
}

export const reportRun = buildRun(sources)
