import type { FreeDevice } from '@isotherm/contract/order-calls.ts'
import type { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import { sql } from 'kysely'
import { statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { TenantTx, Viewer, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

/** An origin or a destination that is not deleted, as a shipment keeps it; until the transaction ends nobody deletes it. */
export const findEnd = (
  { tx, companyId }: TenantTx,
  kind: 'origin' | 'destination',
  id: string,
): Promise<ShipmentEnd | undefined> =>
  firstRow<ShipmentEnd>(tx)`
    select id, name, region, country, person_of_contact as "personOfContact", company_name as "companyName", address, gln,
      gln_unchecked as "glnUnchecked", lat, lon, radius_m as "radiusM", zone as timezone
    from shipment_places where company_id = ${companyId} and kind = ${kind} and id = ${id}::int8 and archived_at is null for share`

/** A partner who is not deleted, as a shipment keeps them. */
export const findPartner = ({ tx, companyId }: TenantTx, id: string): Promise<ShipmentPartner | undefined> =>
  firstRow<ShipmentPartner>(tx)`
    select id, company_name as "companyName", full_name as "fullName", email from partners
    where company_id = ${companyId} and id = ${id}::int8 and archived_at is null`

export interface FoundDevice {
  id: number
  isGone: boolean
  isSample: boolean
}

/** Those of these devices that the person may see. */
export const foundDevices = (ctx: ViewerTx, ids: readonly string[]): Promise<FoundDevice[]> =>
  allRows<FoundDevice>(ctx.tx)`
    select d.id, d.decommissioned_at is not null as "isGone", d.sample_until is not null as "isSample"
    from devices d where ${visibleSql(ctx)} and d.id::int8 = any(${ids}::int8[])`

/** The origins or destinations of these names, in small letters, that are not deleted; until the transaction ends nobody deletes them. */
export const endsNamed = (
  { tx, companyId }: TenantTx,
  kind: 'origin' | 'destination',
  names: readonly string[],
): Promise<(ShipmentEnd & { named: string })[]> =>
  allRows<ShipmentEnd & { named: string }>(tx)`
    select id, name, region, country, person_of_contact as "personOfContact", company_name as "companyName", address, gln,
      gln_unchecked as "glnUnchecked", lat, lon, radius_m as "radiusM", zone as timezone, lower(name) as named
    from shipment_places where company_id = ${companyId} and kind = ${kind} and lower(name) = any(${names}::text[])
      and archived_at is null
    order by id for share`

/** The partners whose company or mail address is one of these, in small letters, and who are not deleted. */
export const partnersNamed = ({ tx, companyId }: TenantTx, names: readonly string[]): Promise<ShipmentPartner[]> =>
  allRows<ShipmentPartner>(tx)`
    select id, company_name as "companyName", full_name as "fullName", email from partners
    where company_id = ${companyId} and archived_at is null
      and (lower(company_name) = any(${names}::text[]) or lower(email) = any(${names}::text[]))`

export interface NamedDevice extends FoundDevice {
  imei: string
  probe: number
}

/** Those of the devices on the hardware of these IMEIs now that the person may see. */
export const devicesByImei = (ctx: ViewerTx, imeis: readonly string[]): Promise<NamedDevice[]> =>
  allRows<NamedDevice>(ctx.tx)`
    select d.id, a.imei, a.probe, d.decommissioned_at is not null as "isGone", d.sample_until is not null as "isSample"
    from assignments a join devices d on d.company_id = a.company_id and d.id = a.device_id
    where a.company_id = ${ctx.companyId} and a.imei = any(${imeis}::text[]) and a.valid_to is null and ${visibleSql(ctx)}
    order by a.imei, a.probe`

/** Those of these references, in small letters, that shipments have which are not cancelled. */
export const takenReferences = async ({ tx, companyId }: TenantTx, references: readonly string[]): Promise<string[]> =>
  (
    await allRows<{ reference: string }>(tx)`
      select lower(reference) as reference from shipments
      where company_id = ${companyId} and state <> 'cancelled' and reference is not null
        and lower(reference) = any(${references}::text[])`
  ).map(({ reference }) => reference)

export interface OpenCarriage {
  number: number
  container: string | null
  awb: string | null
  /** A house waybill in capitals and digits alone, however it was typed. */
  house: string | null
  /** The day, where it goes from. */
  departure: string | null
}

const houseSql = sql<string | null>`upper(regexp_replace(l.house_awb, '[^A-Za-z0-9]', '', 'g'))`

/** The legs of shipments that are not over with one of these containers or waybills, in the order of the shipments. */
export const openCarriages = (
  { tx, companyId }: TenantTx,
  { containers, waybills, houseWaybills }: Record<'containers' | 'waybills' | 'houseWaybills', readonly string[]>,
): Promise<OpenCarriage[]> =>
  allRows<OpenCarriage>(tx)`
    select s.number, l.container_no as container, l.awb, ${houseSql} as house,
      coalesce((l.etd at time zone coalesce(l.from_zone, 'UTC'))::date, s.departure_on)::text as departure
    from shipments s join shipment_legs l on l.company_id = s.company_id and l.shipment_id = s.id
    where s.company_id = ${companyId} and s.state in ('pending', 'ongoing') and l.rolled_at is null
      and (l.container_no = any(${containers}::text[]) or l.awb = any(${waybills}::text[])
        ${houseWaybills.length > 0 ? sql`or ${houseSql} = any(${houseWaybills}::text[])` : sql``})
    order by s.number`

/** Names to choose from: origins, destinations and companies of partners, each at most `most`. */
export const namesToChoose = ({ tx, companyId }: TenantTx, most: number) =>
  allRows<{ kind: 'origins' | 'destinations' | 'partners'; name: string }>(tx)`
    (select kind || 's' as kind, name from shipment_places
      where company_id = ${companyId} and kind = 'origin' and archived_at is null order by lower(name) limit ${most})
    union all
    (select kind || 's', name from shipment_places
      where company_id = ${companyId} and kind = 'destination' and archived_at is null order by lower(name) limit ${most})
    union all
    (select 'partners', company_name from partners where company_id = ${companyId} and archived_at is null
      order by lower(company_name) limit ${most})`

/** Devices in use that the person sees and that are on no shipment under way, by name; one may be on an order: the lorry to the port is one. */
export function devicesToSend(ctx: Viewer, search = ''): Promise<FreeDevice[]> {
  const pattern = containing(search)
  return allRows<FreeDevice>(ctx.tx)`
    select d.id::text, d.name, ${statusSql(ctx.clock.now())} as status, l.battery_pct as "batteryPct"
    from devices d left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    where ${visibleSql(ctx)} and d.decommissioned_at is null and d.sample_until is null
      and (${search === ''} or d.name ilike ${pattern} or d.tag ilike ${pattern} or exists (select from assignments a
        where a.company_id = d.company_id and a.device_id = d.id and a.valid_to is null and a.imei like ${pattern}))
      and not exists (select from shipment_devices m where m.company_id = d.company_id and m.device_id = d.id and m.is_running)
    order by lower(d.name), d.id limit 50`
}
