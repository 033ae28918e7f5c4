import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Done, Email, Id, Instant, text, Version } from './common.ts'
import { CsvImport, CsvImportResult } from './csv-import.ts'
import { OrderState } from './orders.ts'
import { countedPageOf, Paging, pageOf } from './paging.ts'

export const driverStates = ['active', 'inactive'] as const
export const DriverState = z.enum(driverStates)
export type DriverState = z.infer<typeof DriverState>

/** Letters of any script, with what stands between them: N'Golo, José María, Abd al-Rahmān. */
const onlyLetters = /^[\p{L}\p{M}][\p{L}\p{M}'’\- .]*$/u
const fields = {
  name: text(120).refine((name) => onlyLetters.test(name), 'onlyLetters'),
  /** As typed. */
  phone: text(40),
  email: Email.nullable(),
  address: text(300).nullable(),
  licenceNo: text(40).nullable(),
  licenceExpiresOn: z.iso.date().nullable(),
}
const optional = { email: true, address: true, licenceNo: true, licenceExpiresOn: true } as const
export const NewDriver = z.strictObject(fields).partial(optional)
export type NewDriver = z.infer<typeof NewDriver>
/** A field that is left out stays as it is. */
export const DriverChange = z.strictObject(fields).partial().extend({ version: Version })
export type DriverChange = z.infer<typeof DriverChange>

export const Driver = z.object({
  id: Id,
  name: z.string(),
  /** E.164. */
  phone: z.string(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  status: DriverState,
  licenceNo: z.string().nullable(),
  licenceExpiresOn: z.string().nullable(),
  /** The one that is assigned. */
  vehicle: z.object({ id: Id, name: z.string(), plate: z.string() }).nullable(),
  /** Orders in progress. */
  runningOrders: z.number().int(),
  createdAt: Instant,
  version: Version,
})
export type Driver = z.infer<typeof Driver>

/** An order that a driver has driven, or is driving. */
export const Trip = z.object({
  orderId: Id,
  trackingCode: z.string(),
  state: OrderState,
  startedAt: Instant,
  /** Null: under way. */
  endedAt: Instant.nullable(),
  timeSpentS: z.number().int(),
  /** Something was handed over, or the order ended, later than was promised. */
  isLate: z.boolean(),
})
export type Trip = z.infer<typeof Trip>

export const DriverSummary = z.object({
  trips: z.number().int(),
  completed: z.number().int(),
  underWay: z.number().int(),
  late: z.number().int(),
  timeSpentS: z.number().int(),
})
export type DriverSummary = z.infer<typeof DriverSummary>

/** The columns of a file of drivers, as its first line names them. */
export const driverColumns = ['name', 'phone', 'email', 'address', 'licenceNo', 'licenceExpiresOn'] as const

const DriverSort = z.enum([
  ...(['name', '-name', 'status', '-status'] as const),
  ...(['licenceExpiresOn', '-licenceExpiresOn', 'createdAt', '-createdAt'] as const),
])
export const driverAssignments = ['assigned', 'unassigned'] as const
export const DriverQuery = Paging.extend({
  sort: DriverSort.default('name'),
  status: DriverState.optional(),
  assignment: z.enum(driverAssignments).optional(),
})
export const DriverFilter = DriverQuery.omit({ page: true, perPage: true })

export const drivers = {
  list: get('/dispatch/drivers', {
    needs: 'dispatch.view',
    summary: 'The drivers, paged, with search by name, phone, mail address or vehicle',
    query: DriverQuery,
    returns: countedPageOf(Driver),
  }),
  exportCsv: get('/dispatch/drivers/export', {
    needs: 'dispatch.export',
    summary: 'drivers.csv with what can be imported again',
    query: DriverFilter,
    returns: file('text/csv'),
  }),
  one: get('/dispatch/drivers/:id', { needs: 'dispatch.view', summary: 'One driver', returns: Driver }),
  summary: get('/dispatch/drivers/:id/summary', {
    needs: 'dispatch.view',
    summary: "A driver's trips in figures",
    returns: DriverSummary,
  }),
  orders: get('/dispatch/drivers/:id/orders', {
    needs: 'dispatch.view',
    summary: "A driver's trips, the newest first: order, date, time spent",
    query: Paging.omit({ search: true }),
    returns: pageOf(Trip),
  }),
  add: post('/dispatch/drivers', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Adds a driver',
    body: NewDriver,
    returns: Driver,
  }),
  importCsv: post('/dispatch/drivers/import', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    auditOptional: true,
    maxBodyBytes: 3_000_000,
    summary: 'Adds the drivers of a CSV, all or none, with a dry run',
    body: CsvImport,
    returns: CsvImportResult,
  }),
  change: patch('/dispatch/drivers/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Changes a driver',
    body: DriverChange,
    returns: Driver,
  }),
  setStatus: patch('/dispatch/drivers/:id/status', {
    needs: 'dispatch.addOrEdit',
    summary: 'Activates or deactivates a driver; orders in progress go on',
    body: z.strictObject({ status: DriverState }),
    returns: Driver,
  }),
  assignVehicle: patch('/dispatch/drivers/:id/vehicle/assign', {
    needs: 'dispatch.addOrEdit',
    summary: 'Assigns a vehicle to a driver, in place of the one the driver has if that is to change',
    auditOptional: true,
    body: z.strictObject({
      vehicleId: Id,
      /** True takes the vehicle away that the driver has; else that is a DRIVER_BUSY. */
      change: z.boolean().default(false),
    }),
    returns: Driver,
  }),
  unassignVehicle: patch('/dispatch/drivers/:id/vehicle/unassign', {
    needs: 'dispatch.addOrEdit',
    summary: 'Takes the vehicle from a driver; without one nothing happens',
    auditOptional: true,
    returns: Driver,
  }),
  remove: del('/dispatch/drivers/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Deletes a driver without orders in progress; what was driven keeps the name',
    returns: Done,
  }),
}
