import type { drivers } from '@isotherm/contract/drivers.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { assignVehicle, unassignVehicle } from './assign-vehicle.ts'
import { driversCsv, importDrivers } from './csv.ts'
import { presentDriver, presentTrip } from './present.ts'
import { driverCounts, findDriver, pageOfDrivers } from './queries.ts'
import { pageOfTrips, summaryOf } from './trip-queries.ts'
import { addDriver, changeDriver, removeDriver, setDriverStatus } from './verbs.ts'

export const driverHandlers: Handlers<typeof drivers> = {
  list: async (ctx, { query }) => ({
    ...presentPage(query, await pageOfDrivers(ctx, query), presentDriver),
    filterCounts: await driverCounts(ctx, query),
  }),
  exportCsv: (ctx, { query }) => driversCsv(ctx, query),
  one: async (ctx, { params }) => presentDriver(await findDriver(ctx, params.id)),
  async summary(ctx, { params }) {
    const { id } = await findDriver(ctx, params.id)
    return summaryOf(ctx, id)
  },
  async orders(ctx, { params, query }) {
    const { id } = await findDriver(ctx, params.id)
    return presentPage(query, await pageOfTrips(ctx, id, query), presentTrip)
  },
  add: async (ctx, { body }) => presentDriver(await addDriver(ctx, body)),
  importCsv: (ctx, { body }) => importDrivers(ctx, body),
  change: async (ctx, { params, body }) => presentDriver(await changeDriver(ctx, params.id, body)),
  setStatus: async (ctx, { params, body }) => presentDriver(await setDriverStatus(ctx, params.id, body.status)),
  assignVehicle: async (ctx, { params, body }) => presentDriver(await assignVehicle(ctx, params.id, body)),
  unassignVehicle: async (ctx, { params }) => presentDriver(await unassignVehicle(ctx, params.id)),
  remove: (ctx, { params }) => removeDriver(ctx, params.id),
}
