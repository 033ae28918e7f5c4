import type { LatLon } from '@isotherm/contract/places.ts'
import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** Enough for a fleet on a continent: a place stands for a degree around it. */
const maxPlaces = 20

/** Where the devices are that the person may see, to the degree: the places of most of them first. */
export const fleetPlaces = (ctx: ViewerTx): Promise<LatLon[]> =>
  allRows<LatLon>(ctx.tx)`
    select round(l.lat_e7 / 1e7)::int4 as lat, round(l.lon_e7 / 1e7)::int4 as lon
    from devices d join device_latest l on l.company_id = d.company_id and l.device_id = d.id
    where ${visibleSql(ctx)} and d.decommissioned_at is null and l.lat_e7 is not null and ${isShownSql('d', 'l.position_at')}
    group by 1, 2 order by count(*) desc, 1, 2 limit ${sql.lit(maxPlaces)}`
