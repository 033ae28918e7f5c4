import type { CsvImport } from '@isotherm/contract/csv-import.ts'
import { type DriverFilter, driverColumns, NewDriver } from '@isotherm/contract/drivers.ts'
import type { z } from 'zod'
import { phoneReader } from '../../core/company/phones.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { importCsv } from '../../platform/csv/import-csv.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { allDrivers, insertDriver } from './queries.ts'
import { newValues } from './verbs.ts'

/** drivers.csv: a line per driver that the search and the filters find. */
export async function driversCsv(ctx: Context, query: z.output<typeof DriverFilter>) {
  const rows = await allDrivers(ctx, query)
  ctx.audit({ action: 'drivers.exported', after: { count: rows.length } })
  const lines = rows.map((row) => [
    ...[row.name, row.phone, row.email, row.address, row.licence_no, row.licence_expires_on],
    ...[row.status, row.vehicle_name, row.plate],
  ])
  return listCsv('drivers.csv', [...driverColumns, 'status', 'vehicle', 'plate'], lines)
}

/** Adds the drivers of a CSV: all or none. Throws QUOTA_EXCEEDED, or VALIDATION about the file as a whole. */
export async function importDrivers(ctx: Context, input: CsvImport) {
  const readPhone = await phoneReader(ctx)
  const result = await importCsv(ctx, input, {
    columns: driverColumns,
    needed: 'name',
    schema: NewDriver,
    inputOf: (cells) => cells,
    refuse: (rows) => refuseOverQuota(ctx, 'drivers', rows),
    add: (driver) => insertDriver(ctx, newValues(driver, readPhone)),
  })
  if (result.applied) ctx.audit({ action: 'drivers.imported', after: { count: result.rows } })
  return result
}
