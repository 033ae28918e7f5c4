import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { ShipmentDevices, ShipmentEvents, ShipmentLegs, Shipments } from '../../platform/db/schema.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { noteEvents } from '../events/note-events.ts'

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

/** All devices of a shipment, those that were taken off under way among them: it is the reader's to leave out those that somebody may not see. */
export const devicesOfShipment = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<ShipmentDeviceRow[]> =>
  allRows<ShipmentDeviceRow>(tx)`
    select * from shipment_devices where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
    order by place, device_id`

/** Those that were not taken off. */
export const devicesOn = async (ctx: TenantTx, shipmentId: string): Promise<ShipmentDeviceRow[]> =>
  (await devicesOfShipment(ctx, shipmentId)).filter(({ left_at }) => left_at === null)

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
  if (event.kind !== 'created') await tellUpdate({ tx, companyId }, id)
  return id
}

interface UpdateRow extends Pick<ShipmentEventRow, 'kind' | 'device_id' | 'occurred_at' | 'recorded_at'> {
  shipment_id: string
  number: number
  state: string
}

/** Writes what happened to a shipment into the company's feed; one of a device for those who may see the device. */
async function tellUpdate({ tx, companyId }: TenantTx, id: string): Promise<void> {
  const row = await firstRow<UpdateRow>(tx)`
    select e.shipment_id, e.kind, e.device_id, e.occurred_at, e.recorded_at, s.number, s.state
    from shipment_events e join shipments s on s.company_id = e.company_id and s.id = e.shipment_id
    join event_feeds f on f.company_id = e.company_id and f.is_on
    where e.company_id = ${companyId} and e.id = ${id}::int8`
  if (!row) return
  const { shipment_id: shipmentId, state, kind: event, occurred_at: at } = row
  await noteEvents(tx, [
    {
      ...{ companyId, type: 'shipment.updated', key: id, at: row.recorded_at },
      ...(row.device_id === null ? {} : { deviceIds: [row.device_id] }),
      data: { shipmentId, number: showShipmentNumber(row.number), state, event, occurredAt: at.toISOString() },
    },
  ])
}
