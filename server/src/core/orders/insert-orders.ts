import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** The author of orders that are stored together. */
interface StoredBy {
  id: string
  name: string
  at: Date
}

/** So many new tracking codes that no order of the company has. */
async function freeCodes({ tx, companyId }: TenantTx, count: number, newCode: () => string): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) {
    const drawn = [...new Set(Array.from({ length: count - codes.size }, newCode))]
    const taken = await allRows<{ tracking_code: string }>(tx)`
      select tracking_code from orders where company_id = ${companyId} and tracking_code = any(${drawn}::text[])`
    const isTaken = new Set(taken.map(({ tracking_code }) => tracking_code))
    for (const code of drawn) if (!isTaken.has(code)) codes.add(code)
  }
  return [...codes]
}

/**
 * Stores as many as `count` orders at once, in their order, each with its receivers, their items, its devices and the event that it was
 * created. `drafts`: a JSON list of {order, receivers, devices, warnings}, the first three as `insertOrder` takes them, without boxes for
 * one receiver. Fails with 23505 where somebody has drawn one of the codes meanwhile.
 */
export async function insertOrders(
  ctx: TenantTx,
  drafts: string,
  count: number,
  by: StoredBy,
  newCode: () => string,
): Promise<void> {
  const { tx, companyId } = ctx
  const codes = await freeCodes(ctx, count, newCode)
  // A JSON text within the JSON, as a single order has its copies, is read as JSON.
  await sql`
    with given as (
      select n, one, (${codes}::text[])[n] as code
      from jsonb_array_elements(${drafts}::jsonb) with ordinality as g(one, n)),
    made as (
      insert into orders (company_id, tracking_code, reference, sender, pickup_address, pickup_lat, pickup_lon, pickup_radius_m,
        pickup_zone, pickup_country, pickup_at, deliver_by, driver_id, vehicle_id, shows_private, start_rule, end_rule, lot,
        note, budget, price, currency, created_at, created_by, created_by_name, updated_at)
      select ${companyId}, g.code, o.reference, (o.sender #>> '{}')::jsonb, o.pickup_address, o.pickup_lat, o.pickup_lon,
        o.pickup_radius_m, o.pickup_zone, o.pickup_country, o.pickup_at, o.deliver_by, o.driver_id, o.vehicle_id,
        o.shows_private, o.start_rule, o.end_rule, o.lot, o.note, (o.budget #>> '{}')::jsonb, (o.price #>> '{}')::jsonb,
        o.currency, ${by.at}, ${by.id}::int8, ${by.name}, ${by.at}
      from given g, jsonb_populate_record(null::orders, g.one -> 'order') o order by g.n
      returning id, tracking_code, pickup_zone),
    stops as (
      insert into order_receivers (company_id, order_id, sequence, contact_id, name, company_name, email, phone, address, lat,
        lon, radius_m, zone, country, locale, window_from, window_by)
      select ${companyId}, m.id, each.n, r.contact_id, r.name, r.company_name, r.email, r.phone, r.address, r.lat, r.lon,
        r.radius_m, r.zone, r.country, r.locale, r.window_from, r.window_by
      from made m join given g on g.code = m.tracking_code,
        jsonb_array_elements(g.one -> 'receivers') with ordinality as each(receiver, n),
        jsonb_populate_record(null::order_receivers, each.receiver) r
      order by m.id, each.n
      returning id, order_id, sequence),
    goods as (
      insert into order_items (company_id, order_id, receiver_id, name, quantity, unit_count, weight_g, worth, note)
      select ${companyId}, s.order_id, s.id, i.name, i.quantity, i.unit_count, i.weight_g, i.worth, i.note
      from stops s join made m on m.id = s.order_id join given g on g.code = m.tracking_code,
        jsonb_array_elements(g.one -> 'receivers' -> (s.sequence - 1) -> 'items') with ordinality as each(item, n),
        jsonb_populate_record(null::order_items, each.item) i
      order by s.order_id, s.sequence, each.n),
    carried as (
      insert into order_devices (company_id, order_id, device_id, role)
      select ${companyId}, m.id, d.device_id, d.role
      from made m join given g on g.code = m.tracking_code, jsonb_array_elements(g.one -> 'devices') as each(device),
        jsonb_populate_record(null::order_devices, each.device) d)
    insert into order_events (company_id, order_id, kind, occurred_at, occurred_zone, recorded_at, source, by_name, user_id, detail)
    select ${companyId}, m.id, 'created', ${by.at}, m.pickup_zone, now(), 'person', ${by.name}, ${by.id}::int8,
      jsonb_build_object('warnings', g.one -> 'warnings')
    from made m join given g on g.code = m.tracking_code order by m.id`.execute(tx)
}
