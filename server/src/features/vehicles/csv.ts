import type { CsvImport } from '@isotherm/contract/csv-import.ts'
import { NewVehicle, type VehicleFilter, vehicleColumns } from '@isotherm/contract/vehicles.ts'
import type { z } from 'zod'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { importCsv } from '../../platform/csv/import-csv.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { presentVehicle } from './present.ts'
import { allVehicles } from './queries.ts'
import { insertNew } from './verbs.ts'

/** vehicles.csv: a line per vehicle that the search and the filters find. */
export async function vehiclesCsv(ctx: Context, query: z.output<typeof VehicleFilter>) {
  const rows = (await allVehicles(ctx, query)).map(presentVehicle)
  ctx.audit({ action: 'vehicles.exported', after: { count: rows.length } })
  const lines = rows.map(({ name, plate, type, driver, isAvailable, outOfServiceSince, device }) => [
    ...[name, plate, type, driver?.name, isAvailable, outOfServiceSince, device?.name],
  ])
  const columns = [...vehicleColumns, 'driver', 'available', 'out_of_service_utc', 'tracker']
  return listCsv('vehicles.csv', columns, lines)
}

/** Adds the vehicles of a CSV: all or none. Throws QUOTA_EXCEEDED, or VALIDATION about the file as a whole. */
export async function importVehicles(ctx: Context, input: CsvImport) {
  const result = await importCsv(ctx, input, {
    columns: vehicleColumns,
    needed: 'plate',
    schema: NewVehicle,
    inputOf: ({ type, ...cells }) => ({ ...cells, ...(type !== undefined && { type: type.toLowerCase() }) }),
    refuse: (rows) => refuseOverQuota(ctx, 'vehicles', rows),
    add: (vehicle) => insertNew(ctx, vehicle),
    columnOf: { PLATE_TAKEN: 'plate' },
  })
  if (result.applied) ctx.audit({ action: 'vehicles.imported', after: { count: result.rows } })
  return result
}
