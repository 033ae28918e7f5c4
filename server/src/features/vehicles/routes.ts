import type { vehicles } from '@isotherm/contract/vehicles.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { importVehicles, vehiclesCsv } from './csv.ts'
import { presentVehicle } from './present.ts'
import { pageOfVehicles, vehicleCounts } from './queries.ts'
import { addVehicle, changeVehicle, removeVehicle } from './verbs.ts'

export const vehicleHandlers: Handlers<typeof vehicles> = {
  list: async (ctx, { query }) => ({
    ...presentPage(query, await pageOfVehicles(ctx, query), presentVehicle),
    filterCounts: await vehicleCounts(ctx, query),
  }),
  exportCsv: (ctx, { query }) => vehiclesCsv(ctx, query),
  add: async (ctx, { body }) => presentVehicle(await addVehicle(ctx, body)),
  importCsv: (ctx, { body }) => importVehicles(ctx, body),
  change: async (ctx, { params, body }) => presentVehicle(await changeVehicle(ctx, params.id, body)),
  remove: (ctx, { params }) => removeVehicle(ctx, params.id),
}
