import type { devices } from '@isotherm/contract/devices.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { changeDevice } from './change-device.ts'
import { checkLicence } from './check-licence.ts'
import { devicesCsv } from './devices-csv.ts'
import { drawChart } from './draw-chart.ts'
import { drawPath } from './draw-path.ts'
import { getDevice, listDevices, type OpenAlarmsOf } from './get-device.ts'
import { limitsHistory } from './limits-history.ts'
import { readHistory } from './read-history.ts'
import { listRejected } from './rejected.ts'
import { setupBulk } from './setup-bulk.ts'
import { setupDevice } from './setup-device.ts'
import { summarize } from './summary.ts'
import { withTimeToBreach } from './time-to-breach.ts'

/** The list, with what another feature knows of its devices' alarms. */
export const deviceList = (openAlarmsOf: OpenAlarmsOf): Pick<Handlers<typeof devices>, 'list'> => ({
  list: (ctx, { query }) => listDevices(ctx, query, openAlarmsOf),
})

export const deviceHandlers: Omit<Handlers<typeof devices>, 'list'> = {
  summary: (ctx) => summarize(ctx),
  exportCsv: (ctx, { query }) => devicesCsv(ctx, query),
  setup: (ctx, { body }) => setupDevice(ctx, body),
  setupBulk: (ctx, { body }) => setupBulk(ctx, body),
  one: async (ctx, { params }) => withTimeToBreach(ctx, await getDevice(ctx, params.id)),
  change: (ctx, { params, body }) => changeDevice(ctx, params.id, body),
  limits: (ctx, { params }) => limitsHistory(ctx, params.id),
  history: (ctx, { params, query }) => readHistory(ctx, params.id, query),
  chart: (ctx, { params, query }) => drawChart(ctx, params.id, query),
  mapPoints: (ctx, { params, query }) => drawPath(ctx, params.id, query),
  licence: (ctx, { params }) => checkLicence(ctx, params.key),
  rejected: listRejected,
}
