import { type Board, type DispatchMap, trackingLimits } from '@isotherm/contract/order-tracking.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { instantOf, localDayOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { findOrders } from '../../core/orders/order-queries.ts'
import { presentOrders } from '../../core/orders/present-order.ts'
import { zoneOf } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import { countDrivers, driversOfDay } from './board-queries.ts'
import { presentMapDevice, presentMapPhones, presentNext, presentOnMap, presentTemperature } from './present.ts'
import { countUnderWay, devicesOnMap, ordersOnMap, underWay } from './tracking-queries.ts'

/** The orders under way, and where they are. */
export async function mapOfOrders(ctx: Context): Promise<DispatchMap> {
  const rows = await ordersOnMap(ctx, trackingLimits.mapOrders)
  const total = rows.length < trackingLimits.mapOrders ? rows.length : await countUnderWay(ctx)
  const told = new Set(rows.flatMap((row) => [row.placed_by, row.measured_by]).filter((id) => id !== null))
  const devices = (await devicesOnMap(ctx, [...told])).map(presentMapDevice)
  return {
    at: ctx.clock.now().toISOString(),
    devices: [...devices, ...presentMapPhones(rows)],
    orders: rows.map(presentOnMap),
    total,
  }
}

/** The orders of a day of the reader's zone by driver; a page of drivers. */
export async function boardOfDay(
  ctx: Context,
  query: { day?: string | undefined; page: number; perPage: number },
): Promise<Board> {
  const timezone = await zoneOf(ctx)
  const today = localDayOf(ctx.clock.now().toISOString(), timezone)
  const day = query.day ?? today
  const midnight = (of: string) => new Date(instantOf(of, timezone))
  const span = { from: midnight(day), before: midnight(plusDays(day, 1)), isToday: day === today }
  const drivers = await driversOfDay(ctx, span, { ...query, perDriver: trackingLimits.boardOrders })
  const rows = await findOrders(
    ctx,
    drivers.flatMap(({ order_ids }) => order_ids),
  )
  const cards = new Map((await presentOrders(ctx, rows)).map((card) => [card.id, card]))
  const going = new Map((await underWay(ctx, [...cards.keys()])).map((row) => [row.id, row]))
  const data = drivers.map(({ driver_id, name, works, total, order_ids }) => ({
    driver: driver_id === null ? null : { id: driver_id, name: name ?? '', isActive: works === true },
    orders: order_ids.flatMap((id) => {
      const [card, row] = [cards.get(id), going.get(id)]
      const more = { next: row ? presentNext(row) : null, temperature: row ? presentTemperature(row) : null }
      return card ? [{ ...card, ...more }] : []
    }),
    total,
  }))
  return { data, meta: metaOf(query, await countDrivers(ctx, span)), day, isToday: span.isToday, timezone }
}
