import type { Dwell, OrderDwell } from '@isotherm/contract/order-evidence.ts'
import { dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { eventsOf, type OrderEventRow } from '../../core/orders/events.ts'
import { findOrder, receiversOf } from '../../core/orders/order-queries.ts'
import type { Context } from '../../platform/context.ts'
import { stayOf } from './queries.ts'

interface Stay {
  receiverId: string | null
  name: string
  timezone: string
  from: Date
  to: Date | null
}

/** How long an order waited at its stops, and how much of it beyond the free time. Throws NOT_FOUND. */
export async function dwellOfOrder(ctx: Context, orderId: string): Promise<OrderDwell> {
  const order = await findOrder(ctx, orderId)
  const { freeMinutes } = await dispatchSettingsOf(ctx)
  const events = await eventsOf(ctx, orderId)
  const over = order.ended_at ?? order.cancelled_at
  const pickup: Stay[] =
    order.started_at && order.left_pickup_at
      ? [
          {
            ...{ receiverId: null, name: order.pickup_address, timezone: order.pickup_zone },
            ...{ from: order.started_at, to: order.left_pickup_at },
          },
        ]
      : []
  const stops = (await receiversOf(ctx, [orderId])).flatMap((stop): Stay[] =>
    stop.arrived_at
      ? [
          {
            ...{ receiverId: stop.id, name: stop.name, timezone: stop.zone },
            ...{ from: stop.arrived_at, to: stop.departed_at ?? over },
          },
        ]
      : [],
  )
  const stays: Dwell[] = []
  for (const stay of [...pickup, ...stops].sort((a, b) => a.from.getTime() - b.from.getTime()))
    stays.push(await present(ctx, orderId, { stay, events, freeMs: freeMinutes * 60_000 }))
  return { freeMinutes, stays, beyondMs: stays.reduce((sum, { beyondMs }) => sum + beyondMs, 0) }
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
    inBy: (entered?.source ?? 'person') as Dwell['inBy'],
    outBy: to ? ((left?.source ?? 'person') as Dwell['inBy']) : null,
    ...{ accuracyM: accuracy, waitedMs, beyondMs: Math.max(0, waitedMs - freeMs), doorsOpened: openings },
  }
}
