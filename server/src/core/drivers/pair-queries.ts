import { sql } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** A driver with the vehicle that is assigned now. */
export interface Pair {
  driver_id: string
  driver_name: string
  vehicle_id: string
  vehicle_name: string
}

/** The open pairs of a driver or of a vehicle: one of each at most. */
export const openPairs = ({ tx, companyId }: TenantTx, driverId: string, vehicleId: string): Promise<Pair[]> =>
  allRows<Pair>(tx)`
    select p.driver_id, d.name as driver_name, p.vehicle_id, v.name as vehicle_name
    from driver_vehicles p join drivers d on (d.company_id, d.id) = (p.company_id, p.driver_id)
    join vehicles v on (v.company_id, v.id) = (p.company_id, p.vehicle_id)
    where p.company_id = ${companyId} and p.unassigned_at is null
      and (p.driver_id = ${driverId}::int8 or p.vehicle_id = ${vehicleId}::int8)`

/** Opens a pair: lock both rows before, the driver's first. The database refuses a second one of either. */
export const openPair = ({ tx, companyId, clock }: Context, driverId: string, vehicleId: string) =>
  tx
    .insertInto('driver_vehicles')
    .values({ company_id: companyId, driver_id: driverId, vehicle_id: vehicleId, assigned_at: clock.now() })
    .execute()

/** Closes the open pair of a driver or of a vehicle, if there is one; true if there was. */
export async function closePair(
  { tx, companyId, clock }: Context,
  of: { driverId: string } | { vehicleId: string },
): Promise<boolean> {
  const isOf = 'driverId' in of ? sql`driver_id = ${of.driverId}::int8` : sql`vehicle_id = ${of.vehicleId}::int8`
  const closed = await allRows(tx)`
    update driver_vehicles set unassigned_at = greatest(${clock.now()}, assigned_at)
    where company_id = ${companyId} and ${isOf} and unassigned_at is null returning id`
  return closed.length > 0
}
