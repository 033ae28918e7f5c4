import type { DriverSummary } from '@isotherm/contract/drivers.ts'
import type { OrderState } from '@isotherm/contract/orders.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'

export interface TripRow {
  id: string
  tracking_code: string
  state: OrderState
  started_at: Date
  ended_at: Date | null
  time_spent_s: number
  is_late: boolean
}

const endSql = sql<Date | null>`coalesce(o.ended_at, o.cancelled_at)`

const timeSpentSql = (now: Date) =>
  sql<number>`greatest(0, extract(epoch from coalesce(${endSql}, ${now}) - o.started_at))::int4`

/** Whether something was, or still is, handed over after its window, or the order ended after its day. */
const isLateSql = (now: Date): RawBuilder<boolean> => sql<boolean>`(o.state <> 'cancelled' and (
  coalesce(o.ended_at, ${now}) > o.deliver_by or exists (select from order_receivers r
    where r.company_id = o.company_id and r.order_id = o.id and r.state <> 'cancelled'
      and coalesce(r.arrived_at, r.settled_at, ${now}) > r.window_by)))`

/** The orders that the driver started. */
const from = ({ companyId }: Context, driverId: string) => sql`orders o
  where o.company_id = ${companyId} and o.driver_id = ${driverId}::int8 and o.started_at is not null`

export function pageOfTrips(ctx: Context, driverId: string, query: { page: number; perPage: number }) {
  const now = ctx.clock.now()
  return pageOfRows<TripRow>(ctx.tx, query, {
    columns: sql`o.id, o.tracking_code, o.state, o.started_at, ${endSql} as ended_at,
      ${timeSpentSql(now)} as time_spent_s, ${isLateSql(now)} as is_late`,
    from: from(ctx, driverId),
    order: sql`o.started_at desc, o.id desc`,
  })
}

export async function summaryOf(ctx: Context, driverId: string): Promise<DriverSummary> {
  const now = ctx.clock.now()
  const row = await firstRow<DriverSummary>(ctx.tx)`
    select count(*)::int as trips, count(*) filter (where o.state = 'completed')::int as completed,
      count(*) filter (where o.state = 'inProgress')::int as "underWay",
      count(*) filter (where ${isLateSql(now)})::int as late,
      coalesce(sum(${timeSpentSql(now)}), 0)::float8 as "timeSpentS"
    from ${from(ctx, driverId)}`
  return row ?? { trips: 0, completed: 0, underWay: 0, late: 0, timeSpentS: 0 }
}
