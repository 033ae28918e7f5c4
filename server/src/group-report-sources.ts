import { devicesByIds } from './features/devices/get-device.ts'
import { giveLimits } from './features/devices/set-limits.ts'
import { excursionHandlers } from './features/excursions/routes.ts'
import { buildGroupReport } from './features/group-reports/jobs.ts'
import type { GroupReportSources } from './features/group-reports/sources.ts'
import { groupHandlers } from './features/groups/routes.ts'
import { statsHandlers, statsOfMember } from './features/stats/routes.ts'

const body = {}
const groups = groupHandlers({ devices: devicesByIds, giveLimits, stats: statsOfMember })

/** A group's report says what the calls say: it asks the same handlers. */
const sources: GroupReportSources = {
  group: (ctx, id) => groups.one(ctx, { params: { id }, query: {}, body }),
  devices: (ctx, id, page) => groups.devices(ctx, { params: { id }, query: { page, perPage: 200 }, body }),
  async totals(ctx, id, period, measure) {
    const input = { params: { id }, query: { page: 1, perPage: 1 }, body: period }
    const { totals } = await (measure === 'temperature'
      ? groups.temperatureOf(ctx, input)
      : groups.humidityOf(ctx, input))
    return totals
  },
  chart: (ctx, id, period, measure) =>
    groups.chart(ctx, { params: { id }, query: { ...period, measure, points: 600 }, body }),
  stats: (ctx, id, period) => statsHandlers.device(ctx, { params: { id }, query: period, body }),
  excursions: (ctx, id, period, page) =>
    excursionHandlers.ofDevice(ctx, { params: { id }, query: { ...period, page, perPage: 200, sort: 'start' }, body }),
}

export const groupReport = buildGroupReport(sources)
