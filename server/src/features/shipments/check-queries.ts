import type { FreeDevice } from '@isotherm/contract/order-calls.ts'
import type { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import { statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { TenantTx, Viewer, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

/** An origin or a destination that is not deleted, as a shipment keeps it. */
export const findEnd = (
  { tx, companyId }: TenantTx,
  kind: 'origin' | 'destination',
  id: string,
): Promise<ShipmentEnd | undefined> =>
  firstRow<ShipmentEnd>(tx)`
    select id, name, region, country, person_of_contact as "personOfContact", company_name as "companyName", address, lat,
      lon, radius_m as "radiusM", zone as timezone
    from shipment_places where company_id = ${companyId} and kind = ${kind} and id = ${id}::int8 and archived_at is null`

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
