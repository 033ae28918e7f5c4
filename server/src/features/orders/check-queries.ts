import type { FreeDevice } from '@isotherm/contract/order-calls.ts'
import { sql } from 'kysely'
import { statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { TenantTx, Viewer } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

export interface CarrierRow {
  name: string
  is_usable: boolean
  /** YYYY-MM-DD; null of a vehicle. */
  licence_expires_on: string | null
  /** Null of a driver. */
  type: string | null
}

/** A driver who is not deleted. */
export const findDriver = ({ tx, companyId }: TenantTx, id: string): Promise<CarrierRow | undefined> =>
  firstRow<CarrierRow>(tx)`
    select name, status = 'active' as is_usable, licence_expires_on::text, null as type from drivers
    where company_id = ${companyId} and id = ${id}::int8 and archived_at is null`

/** A vehicle that is not deleted. */
export const findVehicle = ({ tx, companyId }: TenantTx, id: string): Promise<CarrierRow | undefined> =>
  firstRow<CarrierRow>(tx)`
    select name, out_of_service_at is null as is_usable, null as licence_expires_on, type from vehicles
    where company_id = ${companyId} and id = ${id}::int8 and archived_at is null`

/** Those of these ids that are contacts of the company. */
export async function knownContacts({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await allRows<{ id: string }>(tx)`
    select id from contacts where company_id = ${companyId} and id = any(${ids}::int8[]) and archived_at is null`
  return new Set(rows.map(({ id }) => id))
}

export interface CarriedDevice {
  id: number
  name: string
  status: string
  is_decommissioned: boolean
  is_sample: boolean
  has_limits: boolean
  battery_pct: number | null
  /** Percent per hour by the readings of the last day; null: too few. */
  battery_per_hour: number | null
  /** The code of an order in progress that it carries cargo of. */
  busy_code: string | null
}

/** Those of these devices that the person may see, with what speaks against sending them. */
export function carriedDevices(ctx: Viewer, ids: readonly string[]): Promise<CarriedDevice[]> {
  const now = ctx.clock.now()
  return allRows<CarriedDevice>(ctx.tx)`
    select d.id, d.name, ${statusSql(now)} as status, d.decommissioned_at is not null as is_decommissioned,
      d.sample_until is not null as is_sample, l.battery_pct, b.slope as battery_per_hour, o.tracking_code as busy_code,
      coalesce(x.temperature_min_centi, x.temperature_max_centi, x.humidity_min_centi, x.humidity_max_centi) is not null as has_limits
    from devices d
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    left join lateral (select * from device_limits x where x.company_id = d.company_id and x.device_id = d.id
      and x.valid_from <= ${now} order by x.valid_from desc limit 1) x on true
    left join lateral (select regr_slope(battery_pct, extract(epoch from measured_at) / 3600)::float8 as slope from readings r
      where r.company_id = d.company_id and r.device_id = d.id and r.battery_pct is not null
        and r.measured_at > ${now}::timestamptz - interval '1 day' and r.measured_at <= ${now}) b on true
    left join order_devices m on m.company_id = d.company_id and m.device_id = d.id and m.is_running and m.role = 'cargo'
    left join orders o on o.company_id = m.company_id and o.id = m.order_id
    where ${visibleSql(ctx)} and d.id = any(${ids}::int8[]) order by ${sql.ref('d.id')}`
}

/** Devices in use that the person sees and that carry cargo of no order in progress, by name. */
export function freeDevices(ctx: Viewer, search = ''): Promise<FreeDevice[]> {
  const pattern = containing(search)
  return allRows<FreeDevice>(ctx.tx)`
    select d.id::text, d.name, ${statusSql(ctx.clock.now())} as status, l.battery_pct as "batteryPct"
    from devices d left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    where ${visibleSql(ctx)} and d.decommissioned_at is null and d.sample_until is null
      and (${search === ''} or d.name ilike ${pattern} or d.tag ilike ${pattern} or exists (select from assignments a
        where a.company_id = d.company_id and a.device_id = d.id and a.valid_to is null and a.imei like ${pattern}))
      and not exists (select from order_devices m where m.company_id = d.company_id and m.device_id = d.id
        and m.is_running and m.role = 'cargo')
    order by lower(d.name), d.id limit 50`
}

export interface NamedContact {
  id: string
  name: string
  company: string | null
  email: string | null
  phone: string | null
  address: string | null
  lat: number | null
  lon: number | null
  country: string | null
}

/** The contacts whose name, company or mail address is one of these, in small letters. */
export const contactsNamed = ({ tx, companyId }: TenantTx, names: readonly string[]): Promise<NamedContact[]> =>
  allRows<NamedContact>(tx)`
    select id, name, company_name as company, email, phone, address, lat, lon, country from contacts
    where company_id = ${companyId} and archived_at is null and (lower(name) = any(${names}::text[])
      or lower(company_name) = any(${names}::text[]) or lower(email) = any(${names}::text[]))`

export interface NamedCarrier extends CarrierRow {
  id: string
  email: string | null
  /** Null of a driver. */
  plate: string | null
}

/** The drivers whose name or mail address is one of these, in small letters. */
export const driversNamed = ({ tx, companyId }: TenantTx, names: readonly string[]): Promise<NamedCarrier[]> =>
  allRows<NamedCarrier>(tx)`
    select id, name, email, null as plate, status = 'active' as is_usable, licence_expires_on::text, null as type from drivers
    where company_id = ${companyId} and archived_at is null
      and (lower(name) = any(${names}::text[]) or lower(email) = any(${names}::text[]))`

/** The vehicles whose name, in small letters, or plate, by its letters and digits, is one of these. */
export const vehiclesNamed = (
  { tx, companyId }: TenantTx,
  names: readonly string[],
  plates: readonly string[],
): Promise<NamedCarrier[]> =>
  allRows<NamedCarrier>(tx)`
    select id, name, null as email, plate, out_of_service_at is null as is_usable, null as licence_expires_on, type from vehicles
    where company_id = ${companyId} and archived_at is null
      and (lower(name) = any(${names}::text[]) or plate_key = any(${plates}::text[]))`

export interface OnHardware {
  id: string
  imei: string
  probe: number
}

/** Those of the devices on the hardware of these IMEIs now that the person may see. */
export const devicesOnHardware = (ctx: Viewer, imeis: readonly string[]): Promise<OnHardware[]> =>
  allRows<OnHardware>(ctx.tx)`
    select d.id::text, a.imei, a.probe from assignments a join devices d on d.company_id = a.company_id and d.id = a.device_id
    where a.company_id = ${ctx.companyId} and a.imei = any(${imeis}::text[]) and a.valid_to is null and ${visibleSql(ctx)}
    order by a.imei, a.probe`

/** Names to choose from: contacts, drivers who are active, and plates of vehicles in service, each at most `most`. */
export const namesToChoose = ({ tx, companyId }: TenantTx, most: number) =>
  allRows<{ kind: 'contacts' | 'drivers' | 'vehicles'; name: string }>(tx)`
    (select 'contacts' as kind, name from contacts where company_id = ${companyId} and archived_at is null
      order by lower(name) limit ${most})
    union all
    (select 'drivers', name from drivers where company_id = ${companyId} and archived_at is null and status = 'active'
      order by lower(name) limit ${most})
    union all
    (select 'vehicles', plate from vehicles where company_id = ${companyId} and archived_at is null
      and out_of_service_at is null order by plate_key limit ${most})`
