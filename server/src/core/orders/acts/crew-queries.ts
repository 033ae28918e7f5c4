import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../../platform/context.ts'
import { allRows, firstRow } from '../../../platform/db/rows.ts'
import type { OrderRow } from '../order-queries.ts'

export interface Driver {
  id: string
  name: string
  status: string
  licenceExpiresOn: string | null
  /** The vehicle of another order in progress, where that is not the one of this order. */
  drives: string | null
}

export interface Vehicle {
  id: string
  name: string
  plate: string
  isOut: boolean
  /** Somebody else with whom it is: of an order in progress, or of the pair that stands. */
  isWith: string | null
}

const lockSql = (isLocked: boolean, alias: string): RawBuilder<unknown> =>
  isLocked ? sql`for no key update of ${sql.ref(alias)}` : sql``

/** The driver of an order; undefined where there is none, or no more. */
export const driverOf = async ({ tx, companyId }: TenantTx, order: OrderRow, isLocked: boolean) => {
  const row = await firstRow<Omit<Driver, 'drives'>>(tx)`
    select p.id, p.name, p.status, p.licence_expires_on::text as "licenceExpiresOn" from drivers p
    where p.company_id = ${companyId} and p.id = ${order.driver_id}::int8 and p.archived_at is null
    ${lockSql(isLocked, 'p')}`
  if (!row) return undefined
  // After the lock: by then an order that was starting has started.
  const busy = await firstRow<{ name: string }>(tx)`
    select v.name from orders o join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id
    where o.company_id = ${companyId} and o.driver_id = ${row.id}::int8 and o.state = 'inProgress'
      and o.id <> ${order.id}::int8 and o.vehicle_id is distinct from ${order.vehicle_id}::int8 limit 1`
  return { ...row, drives: busy?.name ?? null }
}

/** The vehicle of an order; undefined where there is none, or no more. */
export const vehicleOf = async ({ tx, companyId }: TenantTx, order: OrderRow, isLocked: boolean) => {
  const row = await firstRow<Omit<Vehicle, 'isWith'>>(tx)`
    select v.id, v.name, v.plate, v.out_of_service_at is not null as "isOut" from vehicles v
    where v.company_id = ${companyId} and v.id = ${order.vehicle_id}::int8 and v.archived_at is null
    ${lockSql(isLocked, 'v')}`
  if (!row) return undefined
  const other = await firstRow<{ name: string }>(tx)`
    select p.name from drivers p where p.company_id = ${companyId} and p.id <> ${order.driver_id}::int8 and (
      exists (select from orders o where o.company_id = p.company_id and o.vehicle_id = ${row.id}::int8
        and o.driver_id = p.id and o.state = 'inProgress' and o.id <> ${order.id}::int8)
      or exists (select from driver_vehicles d where d.company_id = p.company_id and d.vehicle_id = ${row.id}::int8
        and d.driver_id = p.id and d.unassigned_at is null)) limit 1`
  return { ...row, isWith: other?.name ?? null }
}

export interface CargoDevice {
  id: number
  name: string
  isPrivate: boolean
  isGone: boolean
  role: string
  /** The tracking code of another order in progress that it is on, where it must not be. */
  busyWith: string | null
}

/** The devices of an order, by id, with what keeps them from it: a vehicle's device goes with all orders of that vehicle, any other with one. */
export async function orderDevices(
  { tx, companyId }: TenantTx,
  order: OrderRow,
  isLocked: boolean,
): Promise<CargoDevice[]> {
  const rows = await allRows<Omit<CargoDevice, 'busyWith'>>(tx)`
    select d.id, d.name, d.visibility = 'private' as "isPrivate", d.decommissioned_at is not null as "isGone", m.role
    from order_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = ${companyId} and m.order_id = ${order.id}::int8 order by d.id ${lockSql(isLocked, 'd')}`
  const busy = await allRows<{ id: number; code: string }>(tx)`
    select m.device_id as id, o.tracking_code as code
    from order_devices m join order_devices b on b.company_id = m.company_id and b.device_id = m.device_id
      and b.order_id <> m.order_id and b.is_running
    join orders o on o.company_id = b.company_id and o.id = b.order_id
    where m.company_id = ${companyId} and m.order_id = ${order.id}::int8
      and not (m.role = 'vehicle' and b.role = 'vehicle' and o.vehicle_id = ${order.vehicle_id}::int8)`
  const codes = new Map(busy.map(({ id, code }) => [id, code]))
  return rows.map((row) => ({ ...row, busyWith: codes.get(row.id) ?? null }))
}

/** Those of some devices of the company that somebody may see, and that may be on an order: a sample device is on none. */
export const seenIds = async ({ tx, companyId }: TenantTx, ids: readonly number[], seesPrivate: boolean) =>
  (
    await allRows<{ id: number }>(tx)`
      select id from devices where company_id = ${companyId} and id = any(${ids}::int4[])
        and decommissioned_at is null and sample_until is null and (${seesPrivate} or visibility = 'public')`
  ).map(({ id }) => id)

export interface NewDevice {
  id: number
  role: string
  receiverId: string | null
}

/** Gives an order these devices and no others; none of those that are new runs yet. */
export async function setOrderDevices(
  { tx, companyId }: TenantTx,
  orderId: string,
  devices: readonly NewDevice[],
): Promise<void> {
  const ids = devices.map(({ id }) => id)
  await sql`delete from order_devices where company_id = ${companyId} and order_id = ${orderId}::int8
    and device_id <> all(${ids}::int4[])`.execute(tx)
  await sql`
    insert into order_devices as kept (company_id, order_id, device_id, role, receiver_id)
    select ${companyId}, ${orderId}::int8, n.id, n.role, n.receiver_id
    from unnest(${ids}::int4[], ${devices.map(({ role }) => role)}::text[],
      ${devices.map(({ receiverId }) => receiverId)}::int8[]) as n (id, role, receiver_id)
    on conflict (company_id, order_id, device_id) do update
      set role = excluded.role, receiver_id = excluded.receiver_id, is_running = false`.execute(tx)
}
