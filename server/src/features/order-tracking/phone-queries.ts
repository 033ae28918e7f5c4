import { sql } from 'kysely'
import { phonesSql } from '../../core/orders/phone-sql.ts'
import type { TenantTx, Viewer } from '../../platform/context.ts'
import { allRows, countRows } from '../../platform/db/rows.ts'
import type { PositionRow } from './tracking-queries.ts'

const prefix = 'phone-'
export const phoneIdOf = (driverId: string): string => `${prefix}${driverId}`
/** The driver whose phone an id names; undefined: it names a tracker. */
export const driverOfPhone = (id: string): string | undefined =>
  id.startsWith(prefix) ? id.slice(prefix.length) : undefined

export interface PhoneRow extends PositionRow {
  driver_id: string
  name: string
}

/** The phone that is a device of an order now, if there is one. */
export const phonesOf = (ctx: Viewer, orderId: string): Promise<PhoneRow[]> =>
  allRows<PhoneRow>(ctx.tx)`
    with o as (select * from orders where company_id = ${ctx.companyId} and id = ${orderId}::int8)
    ${phonesSql(sql`o`, ctx.clock.now())}`

/** Where a phone was at an instant. */
export interface FixRow {
  at: Date
  recorded_at: Date
  lat_e7: number
  lon_e7: number
}

/** A phone of an order and a part of the order's time. */
export interface PhoneSpan {
  orderId: string
  driverId: string
  from: string
  to: string
}

const inSpan = ({ companyId }: TenantTx, { orderId, driverId, from, to }: PhoneSpan) => sql`company_id = ${companyId}
  and order_id = ${orderId}::int8 and driver_id = ${driverId}::int8 and at >= ${from}::timestamptz and at <= ${to}::timestamptz`

export const countFixes = (ctx: TenantTx, span: PhoneSpan): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from driver_positions where ${inSpan(ctx, span)}`

/** A page of where a phone was, newest first. */
export const pageOfFixes = (
  ctx: TenantTx,
  span: PhoneSpan,
  { page, perPage }: { page: number; perPage: number },
): Promise<FixRow[]> =>
  allRows<FixRow>(ctx.tx)`
    select at, recorded_at, lat_e7, lon_e7 from driver_positions where ${inSpan(ctx, span)}
    order by at desc limit ${perPage} offset ${(page - 1) * perPage}`

/** Where a phone was, ascending: of more than `points` fixes equally many are left out between two. */
export const someFixes = (ctx: TenantTx, span: PhoneSpan, points: number): Promise<(FixRow & { total: number })[]> =>
  allRows<FixRow & { total: number }>(ctx.tx)`
    select f.* from (
      select at, recorded_at, lat_e7, lon_e7, row_number() over (order by at) as place, count(*) over ()::int as total
      from driver_positions where ${inSpan(ctx, span)}) f
    where (f.total - f.place) % ceil(f.total::numeric / ${points}) = 0 order by f.at`
