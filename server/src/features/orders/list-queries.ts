import type { OrderQuery, OrderSelection } from '@isotherm/contract/order-calls.ts'
import { type OrderAttention, type OrderFilter, type OrderState, orderAttentions } from '@isotherm/contract/orders.ts'
import { plateKey } from '@isotherm/contract/vehicles.ts'
import { type RawBuilder, sql } from 'kysely'
import type { OrderRow } from '../../core/orders/order-queries.ts'
import { attentionSql, filterSql } from '../../core/orders/order-state-sql.ts'
import { readTrackingCode } from '../../domain/tracking-code.ts'
import type { Viewer } from '../../platform/context.ts'
import { allRows, countRows, firstRow, orderOf } from '../../platform/db/rows.ts'
import { containing, signsSql } from '../../platform/db/search.ts'

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
  // A reference may look like a code.
  if (code) return sql<boolean>`(o.tracking_code = ${code} or ${signsSql(sql`o.reference`)} = ${plateKey(search)})`
  const pattern = containing(search)
  const plate = containing(plateKey(search))
  return sql<boolean>`((${plate} <> '%%' and (o.tracking_code like ${plate} or ${signsSql(sql`o.reference`)} like ${plate}))
    or o.reference ilike ${pattern} or o.sender ->> 'name' ilike ${pattern}
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

/** A filter and a reason for attention, as a condition over an order `o`. */
const matchesSql = (ctx: Viewer, { filter, attention }: Pick<OrderSelection, 'filter' | 'attention'>) =>
  sql`${filter ? filterSql(filter) : sql`true`} and ${attention ? attentionSql(ctx)[attention] : sql`true`}`

/** A page of the orders that somebody asks for. */
export const pageOfOrders = (ctx: Viewer, query: OrderQuery): Promise<OrderRow[]> =>
  allRows<OrderRow>(ctx.tx)`
    select o.* from ${foundSql(ctx, query)} and ${matchesSql(ctx, query)}
    order by ${orderOf(columns, query.sort)}, o.id ${sql.raw(query.sort.startsWith('-') ? 'desc' : 'asc')}
    limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`

export interface GoodsSum {
  order_id: string
  quantity: number
  /** Null where of some items nobody says how many were taken. */
  delivered: number | null
}

/** How many of all items orders have, and how many of them were taken. */
export const goodsOf = ({ tx, companyId }: Viewer, orderIds: readonly string[]): Promise<GoodsSum[]> =>
  allRows<GoodsSum>(tx)`
    select order_id, sum(quantity)::int8::float8 as quantity,
      case when bool_and(delivered_quantity is not null) then sum(delivered_quantity)::int8::float8 end as delivered
    from order_items where company_id = ${companyId} and order_id = any(${orderIds}::int8[]) group by order_id`

type Counts<Option extends string> = Record<Option | 'all', number>

export type OrderCounts = { filter: Counts<OrderFilter>; attention: Counts<OrderAttention> }

/**
 * How many orders each filter would leave, with the other one as it is chosen. Orders that are over are counted by the index of states
 * alone; the rest is asked of those that are not over.
 */
export async function orderCounts(ctx: Viewer, wanted: OrderSelection): Promise<OrderCounts> {
  const { filter, attention } = wanted
  const states = await countStates(ctx, wanted, undefined)
  const matching = attention ? await countStates(ctx, wanted, attention) : states
  const open = await countOpen(ctx, wanted)
  const all = sum(states)
  return {
    filter: { ...matching, snoozed: open.snoozed, all: sum(matching) },
    attention: {
      ...open.attention,
      all: filter === undefined ? all : filter === 'snoozed' ? open.all : states[filter],
    },
  }
}

type ByState = Record<OrderState, number>

const sum = (counts: ByState) => Object.values(counts).reduce((total, n) => total + n, 0)

async function countStates(ctx: Viewer, wanted: OrderSelection, attention: OrderAttention | undefined) {
  const rows = await allRows<{ state: OrderState; n: number }>(ctx.tx)`
    select o.state, count(*)::int as n from ${foundSql(ctx, wanted)} and ${matchesSql(ctx, { attention })} group by o.state`
  const none: ByState = { new: 0, inProgress: 0, completed: 0, cancelled: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ state, n }) => [state, n])) }
}

/** The counts that need more than a state, each a join of its own over the orders that are not over. */
async function countOpen(ctx: Viewer, wanted: OrderSelection) {
  const { filter, attention } = wanted
  const count = (options: Pick<OrderSelection, 'filter' | 'attention'>) =>
    sql`(select count(*)::int from ${foundSql(ctx, wanted)} and ${matchesSql(ctx, options)})`
  const options = orderAttentions
  const counts = [count({ filter: 'snoozed', attention }), ...options.map((one) => count({ filter, attention: one }))]
  if (filter === 'snoozed') counts.push(count({ filter }))
  const row = await firstRow<{ counts: number[] }>(ctx.tx)`select array[${sql.join(counts)}] as counts`
  const [snoozed = 0, ...rest] = row?.counts ?? []
  const byReason = Object.fromEntries(options.map((one, at) => [one, rest[at] ?? 0])) as Record<OrderAttention, number>
  return { snoozed, attention: byReason, all: rest[options.length] ?? 0 }
}

/** How many orders that are not over are to be delivered between two instants. */
export const countDue = ({ tx, companyId }: Viewer, from: Date, before: Date): Promise<number> =>
  countRows(tx)`select count(*)::int as n from orders where company_id = ${companyId}
    and state in ('new', 'inProgress') and deliver_by >= ${from} and deliver_by < ${before}`
