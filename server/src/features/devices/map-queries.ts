import type { DeviceStatus } from '@isotherm/contract/devices.ts'
import { sql } from 'kysely'
import { outOfRangeSql, statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { groupDevicesSql } from '../../core/groups/visible-groups.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { LimitColumns } from './device-queries.ts'

/** A device with what a map shows of it; values as the tables keep them. */
export interface FleetRow extends LimitColumns {
  id: number
  imei: string | null
  name: string
  tag: string | null
  status: DeviceStatus
  out_of_range: boolean
  licence_until: Date | null
  measured_at: Date | null
  temperature_centi: number | null
  humidity_centi: number | null
  position_at: Date | null
  lat_e7: number | null
  lon_e7: number | null
  then_temperature_min: number | null
  then_temperature_max: number | null
  then_humidity_min: number | null
  then_humidity_max: number | null
}

/** The ids of every visible device but the decommissioned, of a group if one is given, by name. */
export const fleetIds = async (ctx: Viewer, group?: string): Promise<number[]> =>
  (
    await allRows<{ id: number }>(ctx.tx)`
      select d.id from devices d
      where ${visibleSql(ctx)} and d.decommissioned_at is null
        and ${group === undefined ? sql`true` : sql`d.id in ${groupDevicesSql(ctx, group)}`}
      order by lower(d.name), d.id`
  ).map(({ id }) => id)

/** These devices, in no order. The limits of each measure's time are found in one pass over all that they had, not by a look-up per device. */
export async function loadFleet(ctx: Viewer, ids: readonly number[]): Promise<FleetRow[]> {
  const now = ctx.clock.now()
  return allRows<FleetRow>(ctx.tx)`
    with limits as materialized (
      select device_id, temperature_min_centi as t_min, temperature_max_centi as t_max, humidity_min_centi as h_min,
        humidity_max_centi as h_max, valid_from,
        lead(valid_from, 1, 'infinity') over (partition by device_id order by valid_from) as valid_to
      from device_limits where company_id = ${ctx.companyId} and device_id = any(${ids}::int8[]))
    select d.id, a.imei, d.name, d.tag, ${statusSql(now)} as status,
      ${outOfRangeSql(ctx)} as out_of_range, d.licence_until,
      l.measured_at, l.temperature_centi, l.humidity_centi, l.position_at, l.lat_e7, l.lon_e7,
      n.t_min as temperature_min_centi, n.t_max as temperature_max_centi, n.h_min as humidity_min_centi,
      n.h_max as humidity_max_centi, t.t_min as then_temperature_min, t.t_max as then_temperature_max,
      h.h_min as then_humidity_min, h.h_max as then_humidity_max
    from devices d
    left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    left join assignments a on a.company_id = d.company_id and a.device_id = d.id and a.valid_to is null
    left join limits t on t.device_id = d.id and t.valid_from <= l.temperature_at and l.temperature_at < t.valid_to
    left join limits h on h.device_id = d.id and h.valid_from <= l.humidity_at and l.humidity_at < h.valid_to
    left join limits n on n.device_id = d.id and n.valid_from <= ${now} and ${now}::timestamptz < n.valid_to
    where ${visibleSql(ctx)} and d.id = any(${ids}::int8[])`
}
