import type { DecommissionedQuery } from '@isotherm/contract/device-life.ts'
import { sql } from 'kysely'
import { deviceIdOf, visibleSql } from '../../core/devices/visible-devices.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { pageOfRows } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

export interface LifeRow {
  id: number
  licence_until: Date | null
  power: string
  decommissioned_at: Date | null
}

/** A device that the person sees. Throws NOT_FOUND for what is no id. */
export const findDevice = (ctx: Context, id: string | number): Promise<LifeRow | undefined> =>
  ctx.tx
    .selectFrom('devices as d')
    .select(['d.id', 'd.licence_until', 'd.power', 'd.decommissioned_at'])
    .where(visibleSql(ctx))
    .where('d.id', '=', typeof id === 'number' ? id : deviceIdOf(id))
    .executeTakeFirst()

export interface UsedLicence {
  id: number
  hint: string
  added_at: Date
  expires_at: Date
}

/** The licences a device has, the newest first. */
export const licencesOf = (ctx: TenantTx, deviceId: number): Promise<UsedLicence[]> =>
  ctx.tx
    .selectFrom('licence_uses as u')
    .innerJoin('licences as l', (join) =>
      join.onRef('l.company_id', '=', 'u.company_id').onRef('l.id', '=', 'u.licence_id'),
    )
    .select(['l.id', 'l.hint', 'u.added_at', 'l.expires_at'])
    .where('u.company_id', '=', ctx.companyId)
    .where('u.device_id', '=', deviceId)
    .orderBy('u.added_at', 'desc')
    .execute()

export interface DecommissionedRow {
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
export function pageOfDecommissioned(ctx: Context, { search, sort, ...paging }: DecommissionedQuery) {
  const pattern = containing(search ?? '')
  return pageOfRows<DecommissionedRow>(ctx.tx, paging, {
    columns: sql`d.id, d.name, d.tag, d.type, d.visibility, d.decommissioned_at,
      (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
        order by valid_from desc limit 1) as last_imei,
      (select min(measured_at) from readings r where r.company_id = d.company_id and r.device_id = d.id) as first_at,
      (select measured_at from device_latest l where l.company_id = d.company_id and l.device_id = d.id) as last_at`,
    from: sql`devices d where ${visibleSql(ctx)} and d.decommissioned_at is not null
      and (${!search} or d.name ilike ${pattern} or d.tag ilike ${pattern} or exists (select from assignments a
        where a.company_id = d.company_id and a.device_id = d.id and a.imei like ${pattern}))`,
    order: orders[sort],
  })
}
