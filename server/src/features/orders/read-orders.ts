import type { OrderQuery, OrderSummary } from '@isotherm/contract/order-calls.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { instantOf, localDayOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { findCompany } from '../../core/company/company.ts'
import { presentOrders } from '../../core/orders/present-order.ts'
import type { Viewer } from '../../platform/context.ts'
import { countDue, orderCounts, pageOfOrders } from './list-queries.ts'

export async function listOrders(ctx: Viewer, query: OrderQuery) {
  const filterCounts = await orderCounts(ctx, query)
  return {
    data: await presentOrders(ctx, await pageOfOrders(ctx, query)),
    meta: metaOf(query, filterCounts.filter[query.filter ?? 'all']),
    filterCounts,
  }
}

/** The work that there is, in figures; today is the company's. */
export async function summaryOf(ctx: Viewer): Promise<OrderSummary> {
  const { filter, attention } = await orderCounts(ctx, { sort: '-createdAt' })
  const { timezone } = await findCompany(ctx.tx, ctx.companyId)
  const today = localDayOf(ctx.clock.now().getTime(), timezone)
  const [from, before] = [today, plusDays(today, 1)].map((day) => new Date(instantOf(day, timezone)))
  const { all: _total, ...byFilter } = filter
  const { all: _seen, ...byReason } = attention
  return {
    byFilter,
    attention: byReason,
    dueToday: from && before ? await countDue(ctx, from, before) : 0,
  }
}
