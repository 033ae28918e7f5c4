import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Done, Id, Instant, text, Version } from './common.ts'
import { CsvImport, CsvImportResult } from './csv-import.ts'
import { countedPageOf, Paging } from './paging.ts'

export const vehicleTypes = ['truck', 'car', 'motorcycle'] as const
export const VehicleType = z.enum(vehicleTypes)
export type VehicleType = z.infer<typeof VehicleType>

/** The letters and digits of a plate, in upper case: what makes two plates the same. */
export const plateKey = (plate: string): string =>
  plate
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const fields = {
  name: text(80),
  plate: text(20).refine((plate) => plateKey(plate) !== '', 'plate'),
  type: VehicleType,
  /** The tracker that is fixed in it. */
  deviceId: Id.nullable(),
  isOutOfService: z.boolean(),
}
export const NewVehicle = z.strictObject(fields).partial({ deviceId: true, isOutOfService: true })
export type NewVehicle = z.infer<typeof NewVehicle>
/** A field that is left out stays as it is. */
export const VehicleChange = z.strictObject(fields).partial().extend({ version: Version })
export type VehicleChange = z.infer<typeof VehicleChange>

export const Vehicle = z.object({
  id: Id,
  name: z.string(),
  plate: z.string(),
  type: VehicleType,
  /** The driver that it is assigned to. */
  driver: z.object({ id: Id, name: z.string() }).nullable(),
  /** Not out of service, and not on an order in progress. */
  isAvailable: z.boolean(),
  outOfServiceSince: Instant.nullable(),
  /** Orders in progress. */
  runningOrders: z.number().int(),
  /** The tracker that is fixed in it; null, too, where the reader may not see it. */
  device: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Instant,
  version: Version,
})
export type Vehicle = z.infer<typeof Vehicle>

/** The columns of a file of vehicles, as its first line names them. */
export const vehicleColumns = ['name', 'plate', 'type'] as const

const VehicleSort = z.enum([
  ...(['name', '-name', 'plate', '-plate'] as const),
  ...(['type', '-type', 'createdAt', '-createdAt'] as const),
])
export const availabilities = ['assigned', 'unassigned', 'available', 'unavailable'] as const
export const VehicleQuery = Paging.extend({
  sort: VehicleSort.default('name'),
  type: VehicleType.optional(),
  availability: z.enum(availabilities).optional(),
})
export const VehicleFilter = VehicleQuery.omit({ page: true, perPage: true })

export const vehicles = {
  list: get('/dispatch/vehicles', {
    needs: 'dispatch.view',
    summary: 'The vehicles, paged, with search by name, plate or driver',
    query: VehicleQuery,
    returns: countedPageOf(Vehicle),
  }),
  exportCsv: get('/dispatch/vehicles/export', {
    needs: 'dispatch.export',
    summary: 'vehicles.csv with what can be imported again',
    query: VehicleFilter,
    returns: file('text/csv'),
  }),
  add: post('/dispatch/vehicles', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Adds a vehicle',
    body: NewVehicle,
    returns: Vehicle,
  }),
  importCsv: post('/dispatch/vehicles/import', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    auditOptional: true,
    maxBodyBytes: 3_000_000,
    summary: 'Adds the vehicles of a CSV, all or none, with a dry run',
    body: CsvImport,
    returns: CsvImportResult,
  }),
  change: patch('/dispatch/vehicles/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Changes a vehicle, or takes it out of service',
    body: VehicleChange,
    returns: Vehicle,
  }),
  remove: del('/dispatch/vehicles/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Deletes a vehicle without orders in progress; what it drove keeps its plate',
    returns: Done,
  }),
}
