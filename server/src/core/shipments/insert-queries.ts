import type { Insertable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { ShipmentDevices, ShipmentLegs, Shipments } from '../../platform/db/schema.ts'
import type { LegRow, ShipmentRow } from './shipment-queries.ts'

type Row<T> = Omit<Insertable<T>, 'company_id' | 'shipment_id'>

export type ShipmentDraft = Omit<Insertable<Shipments>, 'company_id' | 'number'>
export type LegDraft = Omit<Row<ShipmentLegs>, 'sequence'>
export type ShipmentDeviceDraft = Row<ShipmentDevices>

/**
 * The next number of the company's shipments. Its row stays locked until the transaction ends, and a transaction that fails gives the
 * number back: numbers have no gaps.
 */
async function nextNumber({ tx, companyId }: TenantTx): Promise<number> {
  const row = await firstRow<{ last: number }>(tx)`
    insert into shipment_numbers (company_id, last) values (${companyId}, 1)
    on conflict (company_id) do update set last = shipment_numbers.last + 1 returning last`
  return (row as { last: number }).last
}

/** Stores a shipment under the next number, with its legs in their sequence and its devices. Fails with 23505 where its reference is taken. */
export async function insertShipment(
  ctx: TenantTx,
  shipment: ShipmentDraft,
  legs: readonly LegDraft[],
  devices: readonly ShipmentDeviceDraft[],
): Promise<ShipmentRow> {
  const { tx, companyId } = ctx
  const row = await tx
    .insertInto('shipments')
    .values({ ...shipment, company_id: companyId, number: await nextNumber(ctx) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertLegs(ctx, row.id, legs, 1)
  await insertShipmentDevices(ctx, row.id, devices)
  return row
}

/** Adds legs to a shipment; the first of them has the sequence `from`. */
export async function insertLegs(
  { tx, companyId }: TenantTx,
  shipmentId: string,
  legs: readonly LegDraft[],
  from: number,
): Promise<LegRow[]> {
  if (legs.length === 0) return []
  const rows = legs.map((leg, index) => ({
    ...leg,
    ...{ company_id: companyId, shipment_id: shipmentId, sequence: from + index },
  }))
  return tx.insertInto('shipment_legs').values(rows).returningAll().execute()
}

/** Puts devices on a shipment. Fails with 23505 where a place of a probe is taken. */
export async function insertShipmentDevices(
  { tx, companyId }: TenantTx,
  shipmentId: string,
  devices: readonly ShipmentDeviceDraft[],
): Promise<void> {
  if (devices.length === 0) return
  const rows = devices.map((device) => ({ ...device, company_id: companyId, shipment_id: shipmentId }))
  await tx.insertInto('shipment_devices').values(rows).execute()
}
