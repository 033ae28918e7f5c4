import type { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'

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
