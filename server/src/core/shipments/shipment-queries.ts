import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { ShipmentDevices, ShipmentEvents, ShipmentLegs, Shipments } from '../../platform/db/schema.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'

export type ShipmentRow = Selectable<Shipments>
export type LegRow = Selectable<ShipmentLegs>
export type ShipmentDeviceRow = Selectable<ShipmentDevices>
export type ShipmentEventRow = Selectable<ShipmentEvents>

/** A shipment of the company; throws NOT_FOUND for any other. Whoever may view dispatch sees every shipment; of its devices only those they may see. */
export const findShipment = async (ctx: TenantTx, id: string): Promise<ShipmentRow> =>
  orNotFound(await loadShipment(ctx, id, sql``))

/** The same, locked until the transaction ends: before its legs, devices, links, treatment and record. */
export const lockShipment = async (ctx: TenantTx, id: string): Promise<ShipmentRow> =>
  orNotFound(await loadShipment(ctx, id, sql`for update`))

const loadShipment = ({ tx, companyId }: TenantTx, id: string, lock: RawBuilder<unknown>) =>
  firstRow<ShipmentRow>(tx)`select * from shipments where company_id = ${companyId} and id = ${id}::int8 ${lock}`

/** The legs of shipments, in their sequence. */
export const legsOf = ({ tx, companyId }: TenantTx, shipmentIds: readonly string[]): Promise<LegRow[]> =>
  allRows<LegRow>(tx)`
    select * from shipment_legs where company_id = ${companyId} and shipment_id = any(${shipmentIds}::int8[])
    order by shipment_id, sequence`

/** All devices of a shipment: it is the reader's to leave out those that somebody may not see. */
export const devicesOfShipment = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<ShipmentDeviceRow[]> =>
  allRows<ShipmentDeviceRow>(tx)`
    select * from shipment_devices where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
    order by place, device_id`

/** The events of a shipment in the order in which they happened, those that were corrected among them. */
export const eventsOf = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<ShipmentEventRow[]> =>
  allRows<ShipmentEventRow>(tx)`
    select * from shipment_events where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
    order by occurred_at, id`

/** Adds an event; its id. Nothing ever changes one. */
export async function insertShipmentEvent(
  { tx, companyId }: TenantTx,
  event: Omit<Insertable<ShipmentEvents>, 'company_id'>,
): Promise<string> {
  const { id } = await tx
    .insertInto('shipment_events')
    .values({ ...event, company_id: companyId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
