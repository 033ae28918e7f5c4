import type { Viewer } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { countedDevicesSql, isAttendedSql } from './shipment-state-sql.ts'

/** A device of a shipment, with what counts of it. */
export interface CountedDevice {
  id: number
  since: Date
  until: Date
}

/** The devices of a shipment that has started that a viewer may see, with what counts of each. */
export const countedDevices = (ctx: Viewer, shipmentId: string): Promise<CountedDevice[]> =>
  allRows<CountedDevice>(ctx.tx)`
    select d.id, d.since, d.until from shipments s cross join lateral ${countedDevicesSql(ctx)} d
    where s.company_id = ${ctx.companyId} and s.id = ${shipmentId}::int8 order by d.id`

/** Why what the viewer sees of a shipment is a part of it: devices are hidden from them, or it was without one for some time; null: it is all. */
export async function partlySeen(ctx: Viewer, shipmentId: string): Promise<'notShown' | 'silent' | null> {
  const row = await firstRow<{ attended: boolean; hidden: boolean }>(ctx.tx)`
    select ${isAttendedSql(ctx)} as attended, exists (select from shipment_devices m
      join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = s.company_id and m.shipment_id = s.id and not (${visibleSql(ctx)})) as hidden
    from shipments s where s.company_id = ${ctx.companyId} and s.id = ${shipmentId}::int8`
  if (row && !row.hidden) return row.attended ? null : 'silent'
  return 'notShown'
}
