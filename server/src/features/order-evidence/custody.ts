import type { HeldExcursion, Holder, OrderCustody } from '@isotherm/contract/order-evidence.ts'
import { Party } from '@isotherm/contract/orders.ts'
import { type ExcursionSource, heldExcursions } from '../../core/devices/held-excursions.ts'
import { findOrder, type OrderRow, type ReceiverRow, receiversOf } from '../../core/orders/order-queries.ts'
import {
  custodyOf,
  type Holder as Held,
  type Journey,
  type Part,
  partsOf,
  type Share,
  sharesOf,
  timeOutside,
} from '../../domain/custody.ts'
import { distanceM } from '../../domain/sphere.ts'
import type { Context } from '../../platform/context.ts'
import { conditionDevices, countHidden, lastFix } from './queries.ts'

const handedOver = ['delivered', 'partlyDelivered']
/** A fix may lie beyond the radius by its own doubt, up to so much. */
const maxDoubtM = 100

/**
 * Whether an order that is under way still stands at its pick-up, by the last position since its start. A vehicle that nobody saw there has no
 * departure: without a position at the pick-up the carrier has the goods.
 */
async function isAtPickup(
  ctx: Context,
  { id, state, pickup_lat: lat, pickup_lon: lon, pickup_radius_m: radiusM }: OrderRow,
  startedAt: Date,
): Promise<boolean> {
  const fix = state === 'inProgress' ? await lastFix(ctx, id, startedAt) : undefined
  return fix !== undefined && distanceM(fix, { lat, lon }) <= radiusM + Math.min(fix.accuracyM, maxDoubtM)
}

/** An order as far as custody goes, by its times and those of its stops. */
function journeyOf(
  order: OrderRow,
  receivers: readonly ReceiverRow[],
  { startedAt, now, isStanding }: { startedAt: Date; now: Date; isStanding: boolean },
): Journey {
  const isGone =
    order.left_pickup_at !== null || receivers.some(({ arrived_at, settled_at }) => arrived_at ?? settled_at)
  return {
    from: startedAt.getTime(),
    to: (order.ended_at ?? order.cancelled_at ?? now).getTime(),
    departedAt: order.left_pickup_at?.getTime() ?? null,
    isAtPickup: !isGone && isStanding,
    stops: receivers.flatMap(({ id, settled_at, state }) =>
      settled_at ? [{ receiverId: id, at: settled_at.getTime(), isHandedOver: handedOver.includes(state) }] : [],
    ),
    stopCount: receivers.length,
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** The holders of an order's goods, and the part of its excursions that each had them for, by the devices that the reader sees; null before the start. Throws NOT_FOUND. */
export async function custodyOfOrder(
  ctx: Context,
  excursionsOf: ExcursionSource,
  orderId: string,
): Promise<OrderCustody | null> {
  const order = await findOrder(ctx, orderId)
  const { started_at: startedAt } = order
  if (!startedAt) return null
  const receivers = await receiversOf(ctx, [orderId])
  const isStanding = await isAtPickup(ctx, order, startedAt)
  const journey = journeyOf(order, receivers, { startedAt, now: ctx.clock.now(), isStanding })
  const holder = holderOf(order, receivers)
  const period = { from: iso(journey.from), to: iso(journey.to) }
  const devices: OrderCustody['devices'] = []
  const excursions: HeldExcursion[] = []
  const all: Part[] = []
  for (const { id, name, role, receiver_id } of await conditionDevices(ctx, orderId)) {
    const custody = custodyOf(journey, { role, receiverId: receiver_id })
    const outMs = custody.map(() => 0)
    for await (const { excursion, outside, shares, peak } of heldExcursions(ctx, excursionsOf, String(id), custody)) {
      for (const [index, stretch] of custody.entries())
        outMs[index] = (outMs[index] ?? 0) + sharesOf([stretch], outside).reduce((sum, { ms }) => sum + ms, 0)
      all.push(...partsOf(custody, outside))
      excursions.push({
        ...{ deviceId: String(id), measure: excursion.measure, side: excursion.side, peak },
        ...{ from: iso(outside.from), to: iso(outside.to), shares: shown(shares, holder) },
      })
    }
    const stretches = custody.map((stretch, index) => ({
      ...{ holder: holder(stretch.holder), from: iso(stretch.from), to: iso(stretch.to) },
      ...{ basis: stretch.basis, outMs: outMs[index] ?? 0 },
    }))
    devices.push({ id: String(id), name, role, stretches })
  }
  return {
    ...period,
    hiddenDevices: await countHidden(ctx, orderId),
    devices,
    excursions: excursions.sort((a, b) => Date.parse(a.from) - Date.parse(b.from)),
    totals: shown(timeOutside(all), holder),
  }
}

const shown = (shares: readonly Share[], holder: (held: Held) => Holder) =>
  shares.map((share) => ({ holder: holder(share.holder), ms: share.ms }))

function holderOf(order: OrderRow, receivers: readonly ReceiverRow[]) {
  const names = new Map(receivers.map(({ id, name }) => [id, name]))
  const sender = Party.parse(order.sender).name
  const carrier = [order.driver_name, order.plate].filter(Boolean).join(', ')
  return ({ kind, receiverId }: Held): Holder => {
    if (receiverId !== null) return { kind, receiverId, name: names.get(receiverId) ?? null }
    return { kind, receiverId, name: kind === 'sender' ? sender : kind === 'carrier' ? carrier || null : null }
  }
}
