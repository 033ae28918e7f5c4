import { sql } from 'kysely'
import { worksSql } from '../../core/orders/order-state-sql.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows, countRows } from '../../platform/db/rows.ts'

export interface Day {
  from: Date
  before: Date
  isToday: boolean
}

/** The orders of a day: due or picked up on it, ended on it, and today all that are under way. Each part has an index of its own. */
const ofDay = ({ companyId }: Viewer, { from, before, isToday }: Day) => sql`(
  select id, driver_id, state, deliver_by from orders where company_id = ${companyId} and state = 'new'
    and ((deliver_by >= ${from} and deliver_by < ${before}) or (pickup_at >= ${from} and pickup_at < ${before}))
  union all
  select id, driver_id, state, deliver_by from orders where company_id = ${companyId} and state = 'inProgress'
    and (${isToday} or (deliver_by >= ${from} and deliver_by < ${before}))
  union all
  select id, driver_id, state, deliver_by from orders where company_id = ${companyId}
    and ended_at >= ${from} and ended_at < ${before}
  union all
  select id, driver_id, state, deliver_by from orders where company_id = ${companyId}
    and cancelled_at >= ${from} and cancelled_at < ${before})`

export interface BoardRow {
  driver_id: string | null
  name: string | null
  works: boolean | null
  total: number
  /** The first orders: those under way, then by when they are due. */
  order_ids: string[]
}

/** A page of the drivers who have orders on a day, by name; the orders that nobody drives come before them. */
export const driversOfDay = (
  ctx: Viewer,
  day: Day,
  { page, perPage, perDriver }: { page: number; perPage: number; perDriver: number },
): Promise<BoardRow[]> =>
  allRows<BoardRow>(ctx.tx)`
    select x.driver_id, p.name, ${worksSql('p')} as works, x.total, x.order_ids
    from (
      select driver_id, count(*)::int as total,
        (array_agg(id order by state = 'inProgress' desc, state = 'new' desc, deliver_by, id))[1:${sql.lit(perDriver)}]::text[] as order_ids
      from ${ofDay(ctx, day)} as o group by driver_id) x
    left join drivers p on p.company_id = ${ctx.companyId} and p.id = x.driver_id
    order by x.driver_id is not null, lower(p.name), x.driver_id
    limit ${perPage} offset ${(page - 1) * perPage}`

export const countDrivers = (ctx: Viewer, day: Day): Promise<number> =>
  countRows(ctx.tx)`select count(distinct coalesce(driver_id, 0))::int as n from ${ofDay(ctx, day)} as o`
