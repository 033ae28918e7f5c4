import { sql, type Updateable } from 'kysely'
import {
  type ReturnFrom,
  type ShipmentMove,
  shipmentMoves,
  shipmentReturns,
} from '../../../domain/shipment-lifecycle.ts'
import type { TenantTx } from '../../../platform/context.ts'
import { locksOfCompany } from '../../../platform/db/advisory-locks.ts'
import { allRows, firstRow } from '../../../platform/db/rows.ts'
import type { ShipmentLegs, Shipments } from '../../../platform/db/schema.ts'
import type { ShipmentDeviceDraft } from '../insert-queries.ts'
import type { LegRow, ShipmentRow } from '../shipment-queries.ts'

type Changed = Omit<Updateable<Shipments>, 'company_id' | 'id' | 'number' | 'state' | 'version'>

/** Makes a move where the shipment is in one of the states that it leaves; undefined where it is not. */
export const moveShipment = (
  { tx, companyId }: TenantTx,
  id: string,
  move: ShipmentMove,
  now: Date,
  changed: Changed,
): Promise<ShipmentRow | undefined> =>
  tx
    .updateTable('shipments')
    .set((eb) => ({ ...changed, state: shipmentMoves[move].to, updated_at: now, version: eb('version', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', 'in', shipmentMoves[move].from)
    .returningAll()
    .executeTakeFirst()

/** Makes the opposite of a move where the shipment is still in the state that it leaves; undefined where it is not. */
export const returnShipment = (
  { tx, companyId }: TenantTx,
  id: string,
  from: ReturnFrom,
  now: Date,
  changed: Changed,
): Promise<ShipmentRow | undefined> =>
  tx
    .updateTable('shipments')
    .set((eb) => ({ ...changed, state: shipmentReturns[from].to, updated_at: now, version: eb('version', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst()

/** Changes what a locked shipment keeps beside its state. */
export const updateShipment = (
  { tx, companyId }: TenantTx,
  id: string,
  changed: Changed,
  now: Date,
): Promise<ShipmentRow> =>
  tx
    .updateTable('shipments')
    .set((eb) => ({ ...changed, updated_at: now, version: eb('version', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateLeg = (
  { tx, companyId }: TenantTx,
  id: string,
  changed: Omit<Updateable<ShipmentLegs>, 'company_id' | 'id' | 'shipment_id'>,
): Promise<LegRow> =>
  tx
    .updateTable('shipment_legs')
    .set(changed)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Gives legs of a shipment their places, all at once: they may change places. */
export const placeLegs = (
  { tx, companyId }: TenantTx,
  shipmentId: string,
  places: readonly { id: string; sequence: number }[],
) =>
  sql`update shipment_legs l set sequence = p.sequence
    from unnest(${places.map(({ id }) => id)}::int8[], ${places.map(({ sequence }) => sequence)}::int2[]) as p (id, sequence)
    where l.company_id = ${companyId} and l.shipment_id = ${shipmentId}::int8 and l.id = p.id`.execute(tx)

export const deleteLegs = ({ tx, companyId }: TenantTx, shipmentId: string, ids: readonly string[]) =>
  sql`delete from shipment_legs where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
    and id = any(${ids}::int8[])`.execute(tx)

/** Marks the devices on a shipment as running, or as free: the database holds that a device runs on one. */
export const runShipmentDevices = ({ tx, companyId }: TenantTx, shipmentId: string, isRunning: boolean) =>
  sql`update shipment_devices set is_running = ${isRunning}
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 and left_at is null`.execute(tx)

/** Takes devices off a shipment under way: what they measured there is evidence. */
export const leaveShipment = ({ tx, companyId }: TenantTx, shipmentId: string, ids: readonly number[], at: Date) =>
  sql`update shipment_devices set is_running = false, left_at = greatest(${at}::timestamptz, joined_at + interval '1 millisecond')
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 and device_id = any(${ids}::int4[])`.execute(
    tx,
  )

/** Forgets who joined a shipment that never started, and who was taken off it. */
export async function forgetJoining({ tx, companyId }: TenantTx, shipmentId: string): Promise<void> {
  await sql`delete from shipment_devices where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
    and left_at is not null`.execute(tx)
  await sql`update shipment_devices set joined_at = null where company_id = ${companyId}
    and shipment_id = ${shipmentId}::int8 and joined_at is not null`.execute(tx)
}

/** Takes devices off a shipment that has not started. */
export const deleteShipmentDevices = ({ tx, companyId }: TenantTx, shipmentId: string, ids: readonly number[]) =>
  sql`delete from shipment_devices where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
    and device_id = any(${ids}::int4[])`.execute(tx)

export const placeDevice = ({ tx, companyId }: TenantTx, shipmentId: string, device: ShipmentDeviceDraft) =>
  sql`update shipment_devices set place = ${device.place}, pallet_ref = ${device.pallet_ref ?? null}, sscc = ${device.sscc ?? null},
      sscc_unchecked = ${device.sscc_unchecked ?? false}
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 and device_id = ${device.device_id}`.execute(
    tx,
  )

export interface CarriedDevice {
  id: number
  name: string
  isPrivate: boolean
  isGone: boolean
  flightMode: string
  /** The number of another shipment under way that it is on. */
  busyWith: number | null
}

/** Devices of a shipment, locked by id until the transaction ends, with what keeps them from it. */
export async function lockCarried(
  { tx, companyId }: TenantTx,
  shipmentId: string,
  ids: readonly number[],
): Promise<CarriedDevice[]> {
  const rows = await allRows<Omit<CarriedDevice, 'busyWith'>>(tx)`
    select d.id, d.name, d.visibility = 'private' as "isPrivate", d.decommissioned_at is not null as "isGone",
      d.flight_mode as "flightMode"
    from devices d where d.company_id = ${companyId} and d.id = any(${ids}::int4[]) order by d.id for no key update`
  // After the lock: by then a shipment that was starting has started.
  const busy = await allRows<{ id: number; number: number }>(tx)`
    select m.device_id as id, s.number from shipment_devices m
    join shipments s on s.company_id = m.company_id and s.id = m.shipment_id
    where m.company_id = ${companyId} and m.device_id = any(${ids}::int4[]) and m.is_running
      and m.shipment_id <> ${shipmentId}::int8`
  const numbers = new Map(busy.map(({ id, number }) => [id, number]))
  return rows.map((row) => ({ ...row, busyWith: numbers.get(row.id) ?? null }))
}

/** Containers are taken by one shipment at a time: the lock of whoever takes one. */
export const lockContainers = ({ tx, companyId }: TenantTx) =>
  sql`select pg_advisory_xact_lock(${locksOfCompany.containers}::int4, ${companyId}::int4)`.execute(tx)

/** A container of another shipment under way whose leg has not arrived; undefined: all of these are free. */
export const busyContainer = (
  { tx, companyId }: TenantTx,
  shipmentId: string,
  containers: readonly string[],
): Promise<{ container: string; number: number } | undefined> =>
  firstRow<{ container: string; number: number }>(tx)`
    select l.container_no as container, s.number from shipment_legs l
    join shipments s on s.company_id = l.company_id and s.id = l.shipment_id
    where l.company_id = ${companyId} and l.container_no = any(${containers}::text[]) and s.state = 'ongoing'
      and s.id <> ${shipmentId}::int8 and l.ata is null and l.rolled_at is null
    order by l.container_no, s.number limit 1`
