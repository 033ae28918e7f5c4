import { plateKey, type VehicleFilter, type VehicleQuery, vehicleTypes } from '@isotherm/contract/vehicles.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { runningOrdersSql } from '../../core/orders/running-orders.ts'
import type { Context, TenantTx, ViewerTx } from '../../platform/context.ts'
import { locksOfCompany } from '../../platform/db/advisory-locks.ts'
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
import type { Vehicles } from '../../platform/db/schema.ts'
import { containing, plateSql } from '../../platform/db/search.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { maxRows } from '../../platform/http/list-csv.ts'

export interface VehicleRow extends Selectable<Vehicles> {
  driver_id: string | null
  driver_name: string | null
  /** Null where the person may not see the tracker that `device_id` names. */
  device_name: string | null
  running_orders: number
}
type OwnColumn = 'company_id' | 'id' | 'version' | 'created_at' | 'updated_at'
/** The columns that verbs fill. */
export type VehicleValues = Omit<Updateable<Vehicles>, OwnColumn>
export type NewVehicleValues = Omit<Insertable<Vehicles>, OwnColumn>
type Filters = z.output<typeof VehicleFilter>

const runningSql = () => runningOrdersSql('vehicle_id', 'v')
const columns = () => sql`v.*, p.driver_id, r.name as driver_name, d.name as device_name,
  ${runningSql()} as running_orders`
const sorts = { name: sql`lower(v.name)`, plate: sql`v.plate_key`, type: sql`v.type`, createdAt: sql`v.created_at` }
const order = (sort: string) => sql`${orderOf(sorts, sort)}, lower(v.name), v.id`

const from = (ctx: ViewerTx): RawBuilder<unknown> => sql`vehicles v
  left join driver_vehicles p on (p.company_id, p.vehicle_id) = (v.company_id, v.id) and p.unassigned_at is null
  left join drivers r on (r.company_id, r.id) = (p.company_id, p.driver_id)
  left join devices d on d.id = v.device_id and ${visibleSql(ctx)}
  where v.company_id = ${ctx.companyId} and v.archived_at is null`

const found = (ctx: ViewerTx, search = ''): RawBuilder<unknown> => {
  const pattern = containing(search)
  return sql`${from(ctx)} and (${search === ''} or v.name ilike ${pattern} or r.name ilike ${pattern}
    or ${plateSql(sql`v.plate_key`, plateKey(search))})`
}

function filters({ type, availability }: Filters): Record<string, Filter> {
  const isUnavailable = sql`(v.out_of_service_at is not null or ${runningSql()} > 0)`
  const options = {
    ...{ assigned: sql`p.id is not null`, unassigned: sql`p.id is null` },
    ...{ available: sql`not ${isUnavailable}`, unavailable: isUnavailable },
  }
  return {
    type: { options: valuesOf('v.type', vehicleTypes), chosen: type },
    availability: { options, chosen: availability },
  }
}

const filtered = (ctx: ViewerTx, query: Filters) => sql`${found(ctx, query.search)} and ${chosenSql(filters(query))}`

export const pageOfVehicles = (ctx: ViewerTx, query: z.output<typeof VehicleQuery>) =>
  pageOfRows<VehicleRow>(ctx.tx, query, { columns: columns(), from: filtered(ctx, query), order: order(query.sort) })

export const vehicleCounts = (ctx: ViewerTx, query: Filters) =>
  countFilters(ctx.tx, found(ctx, query.search), filters(query))

export const allVehicles = (ctx: ViewerTx, query: Filters) =>
  allRows<VehicleRow>(ctx.tx)`
    select ${columns()} from ${filtered(ctx, query)} order by ${order(query.sort)} limit ${maxRows}`

/** Throws NOT_FOUND. */
export const findVehicle = async (ctx: ViewerTx, id: string): Promise<VehicleRow> =>
  orNotFound(await firstRow<VehicleRow>(ctx.tx)`select ${columns()} from ${from(ctx)} and v.id = ${id}::int8`)

/** The vehicle, locked until the transaction ends: after its driver, if that is locked, too. Throws NOT_FOUND. */
export async function lockVehicle(ctx: ViewerTx, id: string): Promise<VehicleRow> {
  const { tx, companyId } = ctx
  orNotFound(
    await firstRow(tx)`select from vehicles where company_id = ${companyId} and id = ${id}::int8 for no key update`,
  )
  return findVehicle(ctx, id)
}

/** One change of plates and trackers in a company at a time: the next waits here, then sees what this one did. */
export const lockPlates = ({ tx, companyId }: TenantTx) =>
  sql`select pg_advisory_xact_lock(${locksOfCompany.plates}::int4, ${companyId}::int4)`.execute(tx)

interface Clash {
  name: string
  has_plate: boolean
}

/** Another vehicle that has this plate, or this tracker. */
export const findClash = (
  { tx, companyId }: TenantTx,
  { plateKey, deviceId, but }: { plateKey: string | null; deviceId: number | null; but: string | null },
): Promise<Clash | undefined> =>
  firstRow<Clash>(tx)`
    select name, plate_key is not distinct from ${plateKey}::text as has_plate from vehicles
    where company_id = ${companyId} and archived_at is null and id is distinct from ${but}::int8
      and (plate_key = ${plateKey}::text or device_id = ${deviceId}::int4)
    order by has_plate desc limit 1`

export const insertVehicle = async ({ tx, companyId, clock }: Context, values: NewVehicleValues): Promise<string> => {
  const now = clock.now()
  const row = { ...values, company_id: companyId, created_at: now, updated_at: now }
  return (await tx.insertInto('vehicles').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export const updateVehicle = ({ tx, companyId, clock }: Context, id: string, values: VehicleValues) =>
  tx
    .updateTable('vehicles')
    .set({ ...values, updated_at: clock.now(), version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
