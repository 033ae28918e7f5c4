import type { DeviceFilter, DeviceQuery } from '@isotherm/contract/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import { filterSql, outOfRangeSql, statusSql } from '../../core/devices/status-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { groupDevicesSql } from '../../core/groups/visible-groups.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

/** Every device the person may see, with status and whether it is out of its limits; `only`: a condition over `devices d`. */
const visibleDevices = (ctx: Viewer, only = sql`true`) => sql`
  select d.id, d.name, d.tag, d.visibility, d.created_at, d.decommissioned_at, ${statusSql(ctx.clock.now())} as status,
    ${outOfRangeSql(ctx)} as out_of_range,
    l.measured_at, l.temperature_centi, l.humidity_centi, l.battery_pct
  from devices d left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
  where ${visibleSql(ctx)} and ${only}`

// Most pressing first when sorted by status.
const statusOrder = sql`array_position(array['offline', 'late', 'awaiting', 'expired', 'paused', 'flightMode', 'off', 'live', 'decommissioned'], status)`
const columns: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(name)`,
  tag: sql`lower(tag)`,
  status: statusOrder,
  lastSeen: sql`measured_at`,
  temperature: sql`temperature_centi`,
  humidity: sql`humidity_centi`,
  battery: sql`battery_pct`,
  created: sql`created_at`,
}

function searchSql(companyId: number, search: string | undefined): RawBuilder<boolean> {
  if (!search) return sql<boolean>`true`
  const pattern = containing(search)
  return sql<boolean>`(name ilike ${pattern} or tag ilike ${pattern} or id in
    (select device_id from assignments where company_id = ${companyId} and valid_to is null and imei like ${pattern}))`
}

/** Those in a group the person may see, and those not in it. */
const groupSql = (ctx: Viewer, { group, notInGroup }: Pick<DeviceQuery, 'group' | 'notInGroup'>) => sql`
  ${group === undefined ? sql`true` : sql`d.id in ${groupDevicesSql(ctx, group)}`}
  and ${notInGroup === undefined ? sql`true` : sql`d.id not in ${groupDevicesSql(ctx, notInGroup)}`}`

/** The ids of one page, in order, and how many there are in all. */
export async function findPage(
  ctx: Viewer,
  query: Omit<DeviceQuery, 'sparkline'>,
): Promise<{ ids: number[]; total: number }> {
  const { page, perPage, tag, visibility, sort } = query
  const descending = sort.startsWith('-')
  const direction = descending ? sql`desc` : sql`asc`
  // Nothing but the key is asked for: what a sort and filter do not need is not worked out, joins included.
  const { rows } = await sql<{ ids: number[]; total: number }>`
    with found as materialized (
      select id, ${columns[descending ? sort.slice(1) : sort] ?? columns.name} as key
      from (${visibleDevices(ctx, groupSql(ctx, query))}) as visible
      where ${filterSql(query.status)} and ${searchSql(ctx.companyId, query.search)}
        and ${tag === undefined ? sql`true` : sql`tag = ${tag}`}
        and ${visibility === undefined ? sql`true` : sql`visibility = ${visibility}`})
    select (select count(*)::int from found) as total,
      array(select id from found order by key ${direction} nulls last, id ${direction}
        limit ${perPage} offset ${(page - 1) * perPage}) as ids
  `.execute(ctx.tx)
  return rows[0] ?? { ids: [], total: 0 }
}

/** How many of the visible devices there are of each status, in range and out of it. */
export const countByStatus = (ctx: Viewer): Promise<{ status: DeviceFilter; out: boolean; count: number }[]> =>
  allRows<{ status: DeviceFilter; out: boolean; count: number }>(ctx.tx)`
    select status, out_of_range as out, count(*)::int as count
    from (${visibleDevices(ctx)}) as visible group by 1, 2`

/** Every tag in use among the visible devices. */
export async function tagsInUse(ctx: Viewer): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct tag from devices d
    where ${visibleSql(ctx)} and tag is not null and decommissioned_at is null order by tag limit 500`.execute(ctx.tx)
  return rows.map((row) => row.tag)
}
