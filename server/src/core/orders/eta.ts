import { Eta } from '@isotherm/contract/orders.ts'
import { arrivals, type Habits, habitsOf } from '../../domain/eta.ts'
import { degrees } from '../../domain/measures.ts'
import { asLogin, asPipeline, withTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import {
  type EtaWrite,
  lockFree,
  markInTimeAgain,
  markLate,
  newestLegs,
  type RunningRow,
  runningOrders,
  type StopRow,
  stopsOf,
  writeEtas,
} from './eta-queries.ts'
import { lateMail } from './late-mail.ts'
import { tellLate } from './tell-late.ts'

/** Bounds for one company, so that it cannot keep the others waiting. */
const perCompany = { orders: 5_000, legs: 1_000 }
/** An estimate that is still right is written again after this time, so that its age is true. */
const renewedMs = 300_000
const minuteMs = 60_000

/** The last place where an order was; null of `position`: it has not left, or no device tells. */
interface Known {
  lat: number
  lon: number
  at: number
  hasLeft: boolean
}

/** The newest of what is known: the pick-up that was left, stops that were reached and left, and the position. */
function lastKnown(order: RunningRow, stops: readonly StopRow[]): Known {
  const known: Known[] = [{ lat: order.left_lat, lon: order.left_lon, at: order.left_at.getTime(), hasLeft: false }]
  for (const { lat, lon, arrived_at, departed_at, settled_at } of stops) {
    const at = arrived_at && (departed_at ?? settled_at ?? arrived_at)
    if (at) known.push({ lat, lon, at: at.getTime(), hasLeft: true })
  }
  if (order.position_at && order.lat_e7 != null && order.lon_e7 != null)
    known.push({ ...at7(order.lat_e7, order.lon_e7), at: order.position_at.getTime(), hasLeft: true })
  return known.reduce((newest, one) => (one.at > newest.at ? one : newest))
}

const at7 = (lat: number, lon: number) => ({ lat: degrees(lat), lon: degrees(lon) })

const toMinute = (ms: number, round: (value: number) => number) =>
  new Date(round(ms / minuteMs) * minuteMs).toISOString()

/** The estimates of an order that differ from those it has. */
export function changedEtas(order: RunningRow, stops: readonly StopRow[], habits: Habits, now: number): EtaWrite[] {
  const ahead = stops.flatMap((row) => {
    const { id, lat, lon, zone, radius_m: radiusM, settled_at, snoozed_until, arrived_at, departed_at, state } = row
    const isThere = state === 'arrived'
    if (settled_at || snoozed_until || (isThere && departed_at)) return []
    return [{ id, lat, lon, zone, radiusM, arrivedAt: isThere && arrived_at ? arrived_at.getTime() : null }]
  })
  const start = lastKnown(order, stops)
  const isFrozen = order.is_present === false
  const expected = new Map(arrivals(start, ahead, habits, now).map((arrival) => [arrival.id, arrival]))
  return stops.flatMap(({ id, eta }): EtaWrite[] => {
    const [arrival, before] = [expected.get(id), Eta.nullable().parse(eta)]
    const write = (value: Eta | null) => [
      { orderId: order.id, receiverId: id, eta: value === null ? null : JSON.stringify(value) },
    ]
    if (!arrival) return before === null ? [] : write(null)
    const age = {
      asOf: new Date(now).toISOString(),
      positionAgeS: start.hasLeft ? Math.max(0, Math.round((now - start.at) / 1000)) : null,
    }
    // It stands still where nothing new is known.
    if (isFrozen && before) return before.isFrozen ? [] : write({ ...before, ...age, isFrozen })
    const { basis, legs } = arrival
    const value = {
      ...{
        at: toMinute(arrival.at, Math.round),
        from: toMinute(arrival.from, Math.floor),
        to: toMinute(arrival.to, Math.ceil),
      },
      ...{ basis, legs, ...age, isFrozen },
    }
    return before && isAlike(before, value) && now - Date.parse(before.asOf) < renewedMs ? [] : write(value)
  })
}

const isAlike = (a: Eta, b: Eta) =>
  a.at === b.at && a.from === b.from && a.to === b.to && a.basis === b.basis && a.isFrozen === b.isFrozen

/**
 * Works out the arrivals of all orders under way, writes those that changed, and tells the dispatchers of those who are late now. Orders that
 * somebody else is changing wait for the next time.
 */
export async function bringEtasUpToDate(services: Services): Promise<void> {
  const { pool, clock } = services
  const now = clock.now()
  const { orders, stops, legs } = await asPipeline(pool, async ({ tx }) => {
    const running = await runningOrders(tx, now, perCompany.orders)
    const companies = [...new Set(running.map(({ company_id }) => company_id))]
    return {
      orders: running,
      stops: Map.groupBy(await stopsOf(tx, running, now), ({ order_id }) => order_id),
      legs: await newestLegs(tx, companies, perCompany.legs),
    }
  })
  for (const [companyId, ofCompany] of Map.groupBy(orders, ({ company_id }) => company_id)) {
    const habits = habitsOf(legs.get(companyId) ?? [])
    const touched = ofCompany.flatMap((order) => {
      const own = stops.get(order.id) ?? []
      const writes = changedEtas(order, own, habits, now.getTime())
      return writes.length > 0 || own.some((stop) => stop.has_news) ? [{ id: order.id, writes }] : []
    })
    if (touched.length > 0) await write(services, companyId, touched, now)
  }
}

async function write(
  { pool, bus, enqueue }: Services,
  companyId: number,
  touched: readonly { id: string; writes: EtaWrite[] }[],
  now: Date,
): Promise<void> {
  const announce = await asLogin(pool, async ({ tx, client }) => {
    const ctx = { tx, companyId }
    const told = await withTenant(tx, companyId, async () => {
      const free = new Set(
        await lockFree(
          ctx,
          touched.map(({ id }) => id),
        ),
      )
      await writeEtas(
        ctx,
        touched.flatMap(({ id, writes }) => (free.has(id) ? writes : [])),
      )
      const onTime = await markInTimeAgain(ctx, [...free], now)
      return tellLate(ctx, { late: await markLate(ctx, [...free], now), onTime }, now)
    })
    for (const { orderId, receiverIds } of told.late)
      await enqueue(client, lateMail, { companyId, orderId, receiverIds })
    return told.announce
  })
  announce(bus)
}
