import type { OrderList } from '@isotherm/contract/dispatch-settings.ts'
import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { lastsText } from '../../core/orders/warning-sql.ts'
import type { Context } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'

export interface WarningRow {
  id: string
  order_id: string
  tracking_code: string
  kind: OrderList
  lasts: boolean
  receiver_id: string | null
  receiver: string | null
  device_id: number | null
  device: string | null
  zone: string
  detail: { due?: string; expected?: string; measure?: string; side?: string }
  began_at: Date
  over_at: Date | null
  escalated_at: Date | null
  acknowledged_at: Date | null
  acknowledged_by: string | null
  note: string | null
  /** The caller is one of those whom the company chose to hear of it, by themselves or in a rota. */
  is_recipient: boolean
}

const lastsSql = sql<boolean>`${sql.raw(lastsText)}`

/** The warnings `w` that a person may see: those of a private device are for Admins. */
const seenSql = (ctx: Context) => sql`order_warnings w
  join orders x on x.company_id = w.company_id and x.id = w.order_id
  left join devices d on d.company_id = w.company_id and d.id = w.device_id
  where w.company_id = ${ctx.companyId} and (w.device_id is null or ${visibleSql(ctx)})`

const columnsSql = (ctx: Context) => sql`w.*, x.tracking_code, ${lastsSql} as lasts, d.name as device,
  (select r.name from order_receivers r where r.company_id = w.company_id and r.id = w.receiver_id) as receiver,
  coalesce((select r.zone from order_receivers r where r.company_id = w.company_id and r.id = w.receiver_id), x.pickup_zone) as zone,
  (select u.fullname from users u where u.company_id = w.company_id and u.id = w.acknowledged_by) as acknowledged_by,
  exists (select from order_recipients q left join rotas o on o.company_id = q.company_id and o.id = q.rota_id and o.archived_at is null
    where q.company_id = w.company_id and q.kind = w.kind and (q.user_id = ${ctx.person.id}::int8
      or exists (select from rota_people m where m.company_id = o.company_id and m.rota_id = o.id and m.user_id = ${ctx.person.id}::int8)
      or exists (select from rota_overrides m where m.company_id = o.company_id and m.rota_id = o.id
        and m.user_id = ${ctx.person.id}::int8 and m.from_at <= ${ctx.clock.now()} and m.to_at > w.began_at))) as is_recipient`

/** A page of the warnings that last: those that nobody acknowledged first, then the newest. */
export const lastingWarnings = (ctx: Context, { page, perPage }: { page: number; perPage: number }) =>
  allRows<WarningRow>(ctx.tx)`
    select ${columnsSql(ctx)} from ${seenSql(ctx)} and w.over_at is null and ${lastsSql}
    order by w.acknowledged_at is not null, w.id desc limit ${perPage} offset ${(page - 1) * perPage}`

export const countLasting = (ctx: Context, only: 'open' | 'all'): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from ${seenSql(ctx)} and w.over_at is null and ${lastsSql}
    and (${only === 'all'} or w.acknowledged_at is null)`

export const warningsOfOrder = (ctx: Context, orderId: string): Promise<WarningRow[]> =>
  allRows<WarningRow>(ctx.tx)`
    select ${columnsSql(ctx)} from ${seenSql(ctx)} and w.order_id = ${orderId}::int8 order by w.id desc limit 100`

export const findWarning = (ctx: Context, id: string): Promise<WarningRow | undefined> =>
  firstRow<WarningRow>(ctx.tx)`select ${columnsSql(ctx)} from ${seenSql(ctx)} and w.id = ${id}::int8`
