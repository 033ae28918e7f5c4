import type { DecommissionedDevice, DecommissionedQuery } from '@isotherm/contract/device-life.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { sql } from 'kysely'
import { containing } from '../../platform/db/search.ts'
import { visibleSql } from '../../platform/devices/visible-devices.ts'
import type { Context } from '../../platform/http/context.ts'

interface Row {
  id: number
  name: string
  tag: string | null
  type: string
  visibility: string
  last_imei: string | null
  first_at: Date | null
  last_at: Date | null
  decommissioned_at: Date
}

const orders: Record<DecommissionedQuery['sort'], ReturnType<typeof sql>> = {
  name: sql`lower(d.name), d.id`,
  '-name': sql`lower(d.name) desc, d.id desc`,
  decommissionedAt: sql`d.decommissioned_at, d.id`,
  '-decommissionedAt': sql`d.decommissioned_at desc, d.id desc`,
}

/** A page of the devices out of use that the person may see. */
export async function listDecommissioned(ctx: Context, query: DecommissionedQuery) {
  const { page, perPage, search, sort } = query
  const pattern = containing(search ?? '')
  const found = sql`from devices d where ${visibleSql(ctx)} and d.decommissioned_at is not null
    and (${!search} or d.name ilike ${pattern} or d.tag ilike ${pattern} or exists (select from assignments a
      where a.company_id = d.company_id and a.device_id = d.id and a.imei like ${pattern}))`
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n ${found}`.execute(ctx.tx)
  const { rows } = await sql<Row>`
    select d.id, d.name, d.tag, d.type, d.visibility, d.decommissioned_at,
      (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
        order by valid_from desc limit 1) as last_imei,
      (select min(measured_at) from readings r where r.company_id = d.company_id and r.device_id = d.id) as first_at,
      (select measured_at from device_latest l where l.company_id = d.company_id and l.device_id = d.id) as last_at
    ${found} order by ${orders[sort]} limit ${perPage} offset ${(page - 1) * perPage}`.execute(ctx.tx)
  return { data: rows.map(present), meta: metaOf(query, counted[0]?.n ?? 0) }
}

const present = (row: Row): DecommissionedDevice => ({
  id: String(row.id),
  name: row.name,
  tag: row.tag,
  type: row.type,
  visibility: row.visibility as DecommissionedDevice['visibility'],
  lastImei: row.last_imei,
  firstReadingAt: row.first_at?.toISOString() ?? null,
  lastReadingAt: row.last_at?.toISOString() ?? null,
  decommissionedAt: row.decommissioned_at.toISOString(),
})
