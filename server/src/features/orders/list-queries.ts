import type { OrderQuery, OrderSelection } from '@isotherm/contract/order-calls.ts'
import { OrderFilter } from '@isotherm/contract/orders.ts'
import { type RawBuilder, sql } from 'kysely'
import type { OrderRow } from '../../core/orders/order-queries.ts'
import { attentionSql, filterSql } from '../../core/orders/order-state-sql.ts'
import { readTrackingCode } from '../../domain/tracking-code.ts'
import type { Viewer } from '../../platform/context.ts'
import { countFilters, countRows, type Filter, orderOf, pageOfRows } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

// A text sort has the newest first among equals, as the index has it.
const columns: Record<string, RawBuilder<unknown>> = {
  createdAt: sql`o.created_at`,
  deliverBy: sql`o.deliver_by`,
  sender: sql`lower(o.sender ->> 'name')`,
  reference: sql`lower(o.reference)`,
}

/** An order `o` that a text finds: by its whole code in any spelling, by a part of a code, name, reference or plate. */
function searchSql(search: string | undefined): RawBuilder<boolean> {
  if (!search) return sql<boolean>`true`
  const code = readTrackingCode(search)
  if (code) return sql<boolean>`o.tracking_code = ${code}`
  const pattern = containing(search)
  const plate = containing(search.toUpperCase().replace(/[^\p{L}\p{N}]/gu, ''))
  return sql<boolean>`(o.tracking_code like ${plate} or o.reference ilike ${pattern} or o.sender ->> 'name' ilike ${pattern}
    or o.sender ->> 'company' ilike ${pattern} or o.driver_name ilike ${pattern}
    or exists (select from order_receivers r where r.company_id = o.company_id and r.order_id = o.id
      and (r.name ilike ${pattern} or r.company_name ilike ${pattern}))
    or exists (select from drivers p where p.company_id = o.company_id and p.id = o.driver_id and p.name ilike ${pattern})
    or exists (select from vehicles v where v.company_id = o.company_id and v.id = o.vehicle_id
      and (v.name ilike ${pattern} or (${plate} <> '%%' and v.plate_key like ${plate}))))`
}

const foundSql = ({ companyId }: Viewer, wanted: OrderSelection) => sql`orders o where o.company_id = ${companyId}
  and ${searchSql(wanted.search)}
  and ${wanted.driverId ? sql`o.driver_id = ${wanted.driverId}::int8` : sql`true`}
  and ${wanted.vehicleId ? sql`o.vehicle_id = ${wanted.vehicleId}::int8` : sql`true`}
  and ${wanted.from ? sql`o.deliver_by >= ${wanted.from}::timestamptz` : sql`true`}
  and ${wanted.to ? sql`o.deliver_by <= ${wanted.to}::timestamptz` : sql`true`}`

const filtersOf = (ctx: Viewer, wanted: Pick<OrderSelection, 'filter' | 'attention'>): Record<string, Filter> => ({
  filter: {
    options: Object.fromEntries(OrderFilter.options.map((filter) => [filter, filterSql(filter)])),
    chosen: wanted.filter,
  },
  attention: { options: attentionSql(ctx), chosen: wanted.attention },
})

/** A page of the orders that somebody asks for, and how many there are in all. */
export function pageOfOrders(ctx: Viewer, query: OrderQuery): Promise<{ rows: OrderRow[]; total: number }> {
  const where = sql`${foundSql(ctx, query)}
    and ${query.filter ? filterSql(query.filter) : sql`true`}
    and ${query.attention ? attentionSql(ctx)[query.attention] : sql`true`}`
  const order = sql`${orderOf(columns, query.sort)}, o.id ${sql.raw(query.sort.startsWith('-') ? 'desc' : 'asc')}`
  return pageOfRows<OrderRow>(ctx.tx, query, { columns: sql`o.*`, from: where, order })
}

/** How many orders each filter would leave. */
export const orderCounts = (ctx: Viewer, wanted: OrderSelection) =>
  countFilters(ctx.tx, foundSql(ctx, wanted), filtersOf(ctx, wanted))

/** How many orders that are not over are to be delivered between two instants. */
export const countDue = ({ tx, companyId }: Viewer, from: Date, before: Date): Promise<number> =>
  countRows(tx)`select count(*)::int as n from orders where company_id = ${companyId}
    and state in ('new', 'inProgress') and deliver_by >= ${from} and deliver_by < ${before}`
