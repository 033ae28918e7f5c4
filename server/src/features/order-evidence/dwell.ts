import type { Dwell, OrderDwell } from '@isotherm/contract/order-evidence.ts'
import { dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { eventsOf, type OrderEventRow } from '../../core/orders/events.ts'
import { findOrder, type OrderRow, receiversOf } from '../../core/orders/order-queries.ts'
import { gateIn, gateInMs } from '../../domain/gate-in.ts'
import type { Context } from '../../platform/context.ts'
import { stayOf, vehicleFixes } from './queries.ts'

interface Stay {
  receiverId: string | null
  name: string
  timezone: string
  from: Date
  to: Date | null
  /** A fix tells of its beginning. */
  isByFix?: boolean
}

/** How long an order waited at its stops, and how much of it beyond the free time. Throws NOT_FOUND. */
export async function dwellOfOrder(ctx: Context, orderId: string): Promise<OrderDwell> {
  const order = await findOrder(ctx, orderId)
  const { freeMinutes } = await dispatchSettingsOf(ctx)
  const events = await eventsOf(ctx, orderId)
  const over = order.ended_at ?? order.cancelled_at
  const pickup = await stayAtPickup(ctx, order)
  const stops = (await receiversOf(ctx, [orderId])).flatMap((stop): Stay[] =>
    stop.arrived_at
      ? [
          {
            ...{ receiverId: stop.id, name: stop.name, timezone: stop.zone },
            // Where no departure is known the wait ended with the hand-over: the van drove on, or waits for itself.
            ...{ from: stop.arrived_at, to: stop.departed_at ?? stop.settled_at ?? over },
          },
        ]
      : [],
  )
  const stays: Dwell[] = []
  for (const stay of [...pickup, ...stops].sort((a, b) => a.from.getTime() - b.from.getTime()))
    stays.push(await present(ctx, orderId, { stay, events, freeMs: freeMinutes * 60_000 }))
  return { freeMinutes, stays, beyondMs: stays.reduce((sum, { beyondMs }) => sum + beyondMs, 0) }
}

/**
 * The stay at the pick-up, once it was left: from the first fix of the vehicle there, however late it came, else from the start. Boxes say nothing:
 * they may have lain there for days.
 */
async function stayAtPickup(ctx: Context, order: OrderRow): Promise<Stay[]> {
  const { started_at: started, left_pickup_at: left } = order
  if (!started || !left) return []
  const until = Math.min(left.getTime(), started.getTime())
  const fixes = await vehicleFixes(ctx, order.id, new Date(until - gateInMs), left)
  const area = {
    ...{ kind: 'circle' as const, centre: { lat: order.pickup_lat, lon: order.pickup_lon } },
    radiusM: order.pickup_radius_m,
  }
  const entered = gateIn(area, Map.groupBy(fixes, ({ deviceId }) => deviceId).values(), until)
  return [
    {
      ...{ receiverId: null, name: order.pickup_address, timezone: order.pickup_zone },
      ...{ from: entered === null ? started : new Date(entered), to: left, isByFix: entered !== null },
    },
  ]
}

async function present(
  ctx: Context,
  orderId: string,
  { stay, events, freeMs }: { stay: Stay; events: readonly OrderEventRow[]; freeMs: number },
): Promise<Dwell> {
  const { receiverId, from, to } = stay
  const until = to ?? ctx.clock.now()
  const { accuracy, openings } = await stayOf(ctx, orderId, from, until)
  const waitedMs = Math.max(0, until.getTime() - from.getTime())
  const by = (kinds: readonly string[]) =>
    events.findLast((one) => kinds.includes(one.kind) && one.receiver_id === receiverId)
  const [entered, left] = receiverId
    ? [by(['arrived', 'handedOver']), by(['departed', 'handedOver'])]
    : [by(['started']), by(['leftPickup'])]
  return {
    ...{ receiverId, name: stay.name, timezone: stay.timezone },
    ...{ in: from.toISOString(), out: to?.toISOString() ?? null },
    inBy: stay.isByFix ? 'geofence' : ((entered?.source ?? 'person') as Dwell['inBy']),
    outBy: to ? ((left?.source ?? 'person') as Dwell['inBy']) : null,
    ...{ accuracyM: accuracy, waitedMs, beyondMs: Math.max(0, waitedMs - freeMs), doorsOpened: openings },
  }
}
