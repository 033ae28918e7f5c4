import { type Insertable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { ShipmentDevices, ShipmentLegs, Shipments } from '../../platform/db/schema.ts'
import type { LegRow, ShipmentRow } from './shipment-queries.ts'

type Row<T> = Omit<Insertable<T>, 'company_id' | 'shipment_id'>

export type ShipmentDraft = Omit<Insertable<Shipments>, 'company_id' | 'number'>
export type LegDraft = Omit<Row<ShipmentLegs>, 'sequence' | 'planned_etd' | 'planned_eta'>
export type ShipmentDeviceDraft = Row<ShipmentDevices>

/**
 * The next number of the company's shipments. Its row stays locked until the transaction ends, and a transaction that fails gives the
 * number back: numbers have no gaps.
 */
const nextNumber = (ctx: TenantTx): Promise<number> => takeNumbers(ctx, 1)

/** The same for as many as `count`: the first of them. */
async function takeNumbers({ tx, companyId }: TenantTx, count: number): Promise<number> {
  const row = await firstRow<{ last: number }>(tx)`
    insert into shipment_numbers (company_id, last) values (${companyId}, ${count}::int4)
    on conflict (company_id) do update set last = shipment_numbers.last + excluded.last returning last`
  return (row as { last: number }).last - count + 1
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
  await insertLegs(ctx, row.id, inSequence(legs))
  await insertShipmentDevices(ctx, row.id, devices)
  return row
}

/** Legs one after the other. */
export const inSequence = <L extends LegDraft>(legs: readonly L[]): (L & { sequence: number })[] =>
  legs.map((leg, index) => ({ ...leg, sequence: index + 1 }))

/** Adds legs to a shipment at their places. Their times are their plan. */
export async function insertLegs(
  { tx, companyId }: TenantTx,
  shipmentId: string,
  legs: readonly (LegDraft & { sequence: number })[],
): Promise<LegRow[]> {
  if (legs.length === 0) return []
  const rows = legs.map((leg) => ({
    ...leg,
    ...{ company_id: companyId, shipment_id: shipmentId },
    ...{ planned_etd: leg.etd ?? null, planned_eta: leg.eta ?? null },
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

/** The author of the events of shipments that are stored together. */
interface StoredBy {
  id: string
  name: string
  at: Date
}

/**
 * Stores as many as `count` shipments at once, under the next numbers in their order, each with its legs, its devices and the event that it
 * was created. `drafts`: a JSON list of {shipment, legs, devices} as `insertShipment` takes them. Returns the first number. Fails with
 * 23505 where a reference is taken.
 */
export async function insertShipments(ctx: TenantTx, drafts: string, count: number, by: StoredBy): Promise<number> {
  const { tx, companyId } = ctx
  const first = await takeNumbers(ctx, count)
  // A JSON text within the JSON, as a single shipment has its copies, is read as JSON.
  await sql`
    with given as (
      select n::int4 as n, one from jsonb_array_elements(${drafts}::jsonb) with ordinality as g(one, n)),
    made as (
      insert into shipments (company_id, number, logistics, reference, tracking_number, product, variety, hs_code, gtin, gtin_unchecked, quantity,
        quantity_unit, further_products, incoterm,
        incoterm_place, pallets, gross_weight_g, origin_id, origin, destination_id, destination, region, country, person_of_contact,
        partner_id, partner, set_point_c, min_c, max_c, regime_code, loading_on, departure_on, note, lot, created_at,
        created_by, created_by_name, updated_at)
      select ${companyId}, ${first}::int4 + g.n - 1, s.logistics, s.reference, s.tracking_number, s.product, s.variety, s.hs_code, s.gtin,
        coalesce(s.gtin_unchecked, false), s.quantity, s.quantity_unit, coalesce((s.further_products #>> '{}')::jsonb, '[]'),
        s.incoterm, s.incoterm_place, s.pallets, s.gross_weight_g, s.origin_id, (s.origin #>> '{}')::jsonb, s.destination_id,
        (s.destination #>> '{}')::jsonb, s.region, s.country, s.person_of_contact, s.partner_id, (s.partner #>> '{}')::jsonb,
        s.set_point_c, s.min_c, s.max_c, s.regime_code, s.loading_on, s.departure_on, s.note, s.lot, s.created_at,
        s.created_by, s.created_by_name, s.updated_at
      from given g, jsonb_populate_record(null::shipments, g.one -> 'shipment') s
      returning id, number, origin),
    travelled as (
      insert into shipment_legs (company_id, shipment_id, sequence, mode, from_port, to_port, from_name, to_name, from_zone,
        to_zone, vessel_name, imo, imo_unchecked, voyage, carrier_code, carrier_name, flight_number, awb, house_awb, booking_number,
        container_no, container_unchecked, awb_unchecked, seal_no, etd, eta, planned_etd, planned_eta)
      select ${companyId}, m.id, each.n, l.mode, l.from_port, l.to_port, l.from_name, l.to_name, l.from_zone, l.to_zone,
        l.vessel_name, l.imo, l.imo_unchecked, l.voyage, l.carrier_code, l.carrier_name, l.flight_number, l.awb, l.house_awb,
        l.booking_number, l.container_no, l.container_unchecked, l.awb_unchecked, l.seal_no, l.etd, l.eta, l.etd, l.eta
      from made m join given g on g.n = m.number - ${first}::int4 + 1,
        jsonb_array_elements(g.one -> 'legs') with ordinality as each(leg, n),
        jsonb_populate_record(null::shipment_legs, each.leg) l),
    watched as (
      insert into shipment_devices (company_id, shipment_id, device_id, place, pallet_ref, sscc, sscc_unchecked)
      select ${companyId}, m.id, d.device_id, d.place, d.pallet_ref, d.sscc, d.sscc_unchecked
      from made m join given g on g.n = m.number - ${first}::int4 + 1,
        jsonb_array_elements(g.one -> 'devices') as each(device),
        jsonb_populate_record(null::shipment_devices, each.device) d)
    insert into shipment_events (company_id, shipment_id, kind, occurred_at, occurred_zone, recorded_at, source, by_name, user_id)
    select ${companyId}, m.id, 'created', ${by.at}, m.origin ->> 'timezone', ${by.at}, 'person', ${by.name}, ${by.id}::int8
    from made m order by m.number`.execute(tx)
  return first
}
