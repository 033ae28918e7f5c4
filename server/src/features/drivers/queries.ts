import { type DriverFilter, type DriverQuery, driverStates } from '@isotherm/contract/drivers.ts'
import { plateKey } from '@isotherm/contract/vehicles.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { runningOrdersSql } from '../../core/orders/running-orders.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import {
  allRows,
  chosenSql,
  countFilters,
  type Filter,
  firstRow,
  orderOf,
  pageOfRows,
  valuesOf,
} from '../../platform/db/rows.ts'
import type { Drivers } from '../../platform/db/schema.ts'
import { containing, phoneSql, plateSql } from '../../platform/db/search.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { maxRows } from '../../platform/http/list-csv.ts'

export interface DriverRow extends Omit<Selectable<Drivers>, 'licence_expires_on'> {
  /** 2026-01-31 */
  licence_expires_on: string | null
  vehicle_id: string | null
  vehicle_name: string | null
  plate: string | null
  running_orders: number
}
type OwnColumn = 'company_id' | 'id' | 'version' | 'created_at' | 'updated_at'
/** The columns that verbs fill. */
export type DriverValues = Omit<Updateable<Drivers>, OwnColumn>
export type NewDriverValues = Omit<Insertable<Drivers>, OwnColumn>
type Filters = z.output<typeof DriverFilter>

const columns = () => sql`
  d.company_id, d.id, d.name, d.phone, d.phone_typed, d.email, d.address, d.status, d.licence_no,
  d.licence_expires_on::text as licence_expires_on, d.created_at, d.updated_at, d.archived_at, d.version,
  v.id as vehicle_id, v.name as vehicle_name, v.plate, ${runningOrdersSql('driver_id', 'd')} as running_orders`
const sorts = {
  name: sql`lower(d.name)`,
  status: sql`d.status`,
  licenceExpiresOn: sql`d.licence_expires_on`,
  createdAt: sql`d.created_at`,
}
const order = (sort: string) => sql`${orderOf(sorts, sort)} nulls last, lower(d.name), d.id`

const from = ({ companyId }: TenantTx): RawBuilder<unknown> => sql`drivers d
  left join driver_vehicles p on (p.company_id, p.driver_id) = (d.company_id, d.id) and p.unassigned_at is null
  left join vehicles v on (v.company_id, v.id) = (p.company_id, p.vehicle_id)
  where d.company_id = ${companyId} and d.archived_at is null`

const found = (ctx: TenantTx, search = ''): RawBuilder<unknown> => {
  const pattern = containing(search)
  return sql`${from(ctx)} and (${search === ''} or d.name ilike ${pattern} or d.phone_typed ilike ${pattern}
    or ${phoneSql(sql`d.phone`, search)} or d.email ilike ${pattern} or v.name ilike ${pattern}
    or ${plateSql(sql`v.plate_key`, plateKey(search))})`
}

const filters = ({ status, assignment }: Filters): Record<string, Filter> => ({
  status: { options: valuesOf('d.status', driverStates), chosen: status },
  assignment: { options: { assigned: sql`p.id is not null`, unassigned: sql`p.id is null` }, chosen: assignment },
})

const filtered = (ctx: TenantTx, query: Filters) => sql`${found(ctx, query.search)} and ${chosenSql(filters(query))}`

export const pageOfDrivers = (ctx: TenantTx, query: z.output<typeof DriverQuery>) =>
  pageOfRows<DriverRow>(ctx.tx, query, { columns: columns(), from: filtered(ctx, query), order: order(query.sort) })

export const driverCounts = (ctx: TenantTx, query: Filters) =>
  countFilters(ctx.tx, found(ctx, query.search), filters(query))

export const allDrivers = (ctx: TenantTx, query: Filters) =>
  allRows<DriverRow>(ctx.tx)`
    select ${columns()} from ${filtered(ctx, query)} order by ${order(query.sort)} limit ${maxRows}`

/** Throws NOT_FOUND. */
export const findDriver = async (ctx: TenantTx, id: string): Promise<DriverRow> =>
  orNotFound(await firstRow<DriverRow>(ctx.tx)`select ${columns()} from ${from(ctx)} and d.id = ${id}::int8`)

/** The driver, locked until the transaction ends: before any vehicle. Throws NOT_FOUND. */
export async function lockDriver(ctx: TenantTx, id: string): Promise<DriverRow> {
  const { tx, companyId } = ctx
  orNotFound(
    await firstRow(tx)`select from drivers where company_id = ${companyId} and id = ${id}::int8 for no key update`,
  )
  return findDriver(ctx, id)
}

export const insertDriver = async ({ tx, companyId, clock }: Context, values: NewDriverValues): Promise<string> => {
  const now = clock.now()
  const row = { ...values, company_id: companyId, created_at: now, updated_at: now }
  return (await tx.insertInto('drivers').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export const updateDriver = ({ tx, companyId, clock }: Context, id: string, values: DriverValues) =>
  tx
    .updateTable('drivers')
    .set({ ...values, updated_at: clock.now(), version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

export interface VehicleFacts {
  id: string
  name: string
  out_of_service_at: Date | null
}

/** A vehicle that may be assigned, locked until the transaction ends. */
export const lockVehicle = ({ tx, companyId }: TenantTx, id: string): Promise<VehicleFacts | undefined> =>
  firstRow<VehicleFacts>(tx)`
    select id, name, out_of_service_at from vehicles
    where company_id = ${companyId} and id = ${id}::int8 and archived_at is null for no key update`
