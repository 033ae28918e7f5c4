import { createHash } from 'node:crypto'
import type { FenceArea } from '@isotherm/contract/places.ts'
import type { ActContext } from '../../core/orders/acts/act-context.ts'
import { updateOrder } from '../../core/orders/acts/act-queries.ts'
import { endOrder } from '../../core/orders/acts/end-order.ts'
import { auditTarget, noteAct } from '../../core/orders/acts/note-act.ts'
import { startOrder } from '../../core/orders/acts/start-order.ts'
import { arriveAt, departFrom, moveVisit } from '../../core/orders/acts/visit-stop.ts'
import { dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { lockOrder, type OrderRow, type ReceiverRow, receiversOf } from '../../core/orders/order-queries.ts'
import { fencedVisits, lastSnoozes, type Visit } from '../../core/orders/watch-queries.ts'
import { isOpen, leftLastStopAt } from '../../domain/order-lifecycle.ts'
import { doorsOpened, type Happening, happeningsOf, type LitFix, type WatchedOrder } from '../../domain/stop-visits.ts'
import { AppError } from '../../platform/errors/app-error.ts'

const circle = (lat: number, lon: number, radiusM: number): FenceArea => ({
  ...{ kind: 'circle', centre: { lat, lon }, radiusM },
})
const pickupOf = (order: OrderRow) => circle(order.pickup_lat, order.pickup_lon, order.pickup_radius_m)
const stopOf = (receiver: ReceiverRow) => circle(receiver.lat, receiver.lon, receiver.radius_m)

function watchedOf(
  order: OrderRow,
  receivers: readonly ReceiverRow[],
  snoozes: ReadonlyMap<string, Date>,
  fenced: ReadonlyMap<string, readonly Visit[]>,
  since: Date,
): WatchedOrder {
  const isWatched = (one: ReceiverRow) => one.state !== 'cancelled' && one.snoozed_until === null
  const started = order.started_at?.getTime() ?? Number.POSITIVE_INFINITY
  return {
    pickup: pickupOf(order),
    since: since.getTime(),
    leftPickupAt: order.left_pickup_at?.getTime() ?? null,
    stops: receivers.filter(isWatched).map((one) => ({
      ...{ id: one.id, area: stopOf(one), since: Math.max(started, snoozes.get(one.id)?.getTime() ?? started) },
      ...{ arrivedAt: one.arrived_at?.getTime() ?? null, departedAt: one.departed_at?.getTime() ?? null },
      byFence: fenced.get(one.id) ?? [],
    })),
  }
}

/** Does what another act may have made needless meanwhile. */
async function orLeave(work: Promise<unknown>): Promise<AppError | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** The devices left the pick-up: that starts an order whose rule says so. Where it cannot start, somebody is told, once. */
async function leavePickup(ctx: ActContext, order: OrderRow, at: Date): Promise<OrderRow> {
  const left = await updateOrder(ctx, order.id, { left_pickup_at: at }, ctx.clock.now())
  await noteAct(ctx, left, {}, { kind: 'leftPickup', at })
  ctx.audit({ action: 'orders.leftPickup', target: auditTarget(order), after: { at: at.toISOString() } })
  if (left.state !== 'new') return left
  const fault = await orLeave(startOrder(ctx, left, { at }))
  if (fault) await noteAct(ctx, left, {}, { kind: 'warned', at, detail: { code: 'notStarted', reason: fault.code } })
  return lockOrder(ctx, order.id)
}

/** The same opened door, told again by an overlapping look, has the same number. */
function numberOf(orderId: string, deviceId: number, at: Date): string {
  const hash = createHash('sha256').update(`${orderId} ${deviceId} ${at.toISOString()}`).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}

async function apply(ctx: ActContext, order: OrderRow, happening: Happening): Promise<OrderRow> {
  const at = new Date(happening.at)
  switch (happening.kind) {
    case 'leftPickup':
      return leavePickup(ctx, order, at)
    case 'arrived':
      if (happening.moves) await moveVisit(ctx, order, happening.receiverId, { kind: 'arrived', at })
      else await orLeave(arriveAt(ctx, order, happening.receiverId, { at }))
      return order
    case 'departed':
      if (happening.moves) await moveVisit(ctx, order, happening.receiverId, { kind: 'departed', at })
      else await orLeave(departFrom(ctx, order, happening.receiverId, { at }))
      return order
    case 'doorOpened': {
      const { deviceId, place } = happening
      await noteEvent(ctx, order.id, {
        ...{ kind: 'doorOpened', at, zone: order.pickup_zone, by: { source: 'device', name: null }, deviceId },
        ...{ position: place, requestId: numberOf(order.id, deviceId, at) },
      })
      return order
    }
  }
}

interface Look {
  /** Fixes of before say nothing of this order. */
  since: Date
  /** Up to when light was looked at. */
  litSince: Date
  fixes: ReadonlyMap<number, readonly LitFix[]>
}

/** Whether the fixes of an order tell anything that is not known yet: cheap, and without a lock. */
export async function look(
  ctx: Pick<ActContext, 'tx' | 'companyId'>,
  order: OrderRow,
  { since, litSince, fixes }: Look,
) {
  const receivers = await receiversOf(ctx, [order.id])
  const [snoozes, fenced] = [await lastSnoozes(ctx, order.id), await fencedVisits(ctx, order.id)]
  const found = happeningsOf(watchedOf(order, receivers, snoozes, fenced, since), fixes)
  if (order.state !== 'inProgress') return found.filter(({ kind }) => kind === 'leftPickup')
  const doors = doorsOpened([pickupOf(order), ...receivers.map(stopOf)], fixes, litSince.getTime())
  return [...found, ...doors].sort((a, b) => a.at - b.at)
}

/** Whether an order waits for nothing but its end by fence: its devices have left, and the last stop was settled by a person since. */
export async function isToEnd(ctx: Pick<ActContext, 'tx' | 'companyId'>, order: OrderRow): Promise<boolean> {
  if (order.state !== 'inProgress' || order.end_rule === 'hand') return false
  if (order.end_rule === 'and' && order.end_asked_at === null) return false
  const receivers = await receiversOf(ctx, [order.id])
  return !receivers.some(isOpen) && leftLastStopAt(receivers) !== null
}

/** Does what the fixes of an order tell, in the order in which it happened; then ends it where its rule says so. */
export async function watchOrder(ctx: ActContext, orderId: string, seen: Look): Promise<void> {
  let order = await lockOrder(ctx, orderId)
  if (order.state !== 'new' && order.state !== 'inProgress') return
  for (const happening of await look(ctx, order, seen)) order = await apply(ctx, order, happening)
  // Started by these fixes just now: they tell of its stops, too.
  if (order.state === 'inProgress' && order.start_rule !== 'hand')
    for (const happening of await look(ctx, order, seen)) order = await apply(ctx, order, happening)
  await endByFence(ctx, order)
}

/**
 * Ends an order whose devices left its last stop. Stops that they reached and left, and nobody spoke of, count as delivered where the rule
 * needs no person and the company says so; else the order waits for its hand-overs.
 */
async function endByFence(ctx: ActContext, order: OrderRow): Promise<void> {
  if (order.state !== 'inProgress' || order.end_rule === 'hand') return
  const left = leftLastStopAt(await receiversOf(ctx, [order.id]))
  if (!left) return
  const settles = order.end_rule !== 'and' && (await dispatchSettingsOf(ctx)).fenceSettles
  await orLeave(endOrder(ctx, order, { at: left, ...(settles && { rest: { outcome: 'delivered' } }) }))
}
