import { Eta } from '@isotherm/contract/orders.ts'
import { type Arrival, arrivals, type Habits } from '../../domain/eta.ts'
import { type DueStop, inTurn } from '../../domain/in-turn.ts'
import { degrees } from '../../domain/measures.ts'
import type { EtaWrite, RunningRow, StopRow } from './eta-queries.ts'

/** An order under way with its stops. */
export interface Running {
  order: RunningRow
  stops: readonly StopRow[]
}

/** So many orders of one vehicle are estimated together, those due first; the others each by itself. */
const perVehicle = 20
/** An estimate that is still right is written again after this time, so that its age is true. */
const renewedMs = 300_000
const minuteMs = 60_000

/** The last place where an order was; `hasLeft`: false where it has not left, or no device tells. */
interface Known {
  lat: number
  lon: number
  at: number
  hasLeft: boolean
}

/** The estimates of the orders of a company that differ from those they have, by order; a vehicle in each of its pieces. */
export function* changedEtas(
  running: readonly Running[],
  habits: Habits,
  now: number,
): Generator<undefined, Map<string, EtaWrite[]>> {
  const changed = new Map<string, EtaWrite[]>()
  for (const round of roundsOf(running)) {
    const known = new Map<string, Map<string, Arrival>>()
    for (const one of round) {
      const start = lastKnown(one, round)
      const key = `${start.lat} ${start.lon} ${start.at}`
      const expected = known.get(key) ?? expectedOf(start, round, habits, now)
      known.set(key, expected)
      const positions = positionsOf(one.order, round)
      const isFrozen = positions.length > 0 && !positions.some(({ is_present }) => is_present)
      changed.set(one.order.id, changesOf(one, { start, isFrozen, expected, now }))
    }
    yield
  }
  return changed
}

/** Orders by vehicle, as far as they are estimated together. */
function roundsOf(running: readonly Running[]): Running[][] {
  const byVehicle = Map.groupBy(running, ({ order }) => order.vehicle_id ?? `order ${order.id}`)
  return [...byVehicle.values()].flatMap((ofVehicle) => {
    const dueFirst = ofVehicle.toSorted((a, b) => dueOf(a) - dueOf(b))
    return [dueFirst.slice(0, perVehicle), ...dueFirst.slice(perVehicle).map((one) => [one])]
  })
}

const dueOf = ({ stops }: Running) => Math.min(...stops.map(({ due }) => due.getTime()))

function expectedOf(start: Known, round: readonly Running[], habits: Habits, now: number): Map<string, Arrival> {
  const turn = inTurn(round.map(aheadOf), start)
  return new Map(arrivals(start, turn, habits, now).map((arrival) => [arrival.id, arrival]))
}

const aheadOf = ({ stops }: Running): DueStop[] =>
  stops.flatMap((row) => {
    const { id, lat, lon, zone, radius_m: radiusM, settled_at, snoozed_until, arrived_at, departed_at, state } = row
    const isThere = state === 'arrived'
    if (settled_at || snoozed_until || (isThere && departed_at)) return []
    const arrivedAt = isThere && arrived_at ? arrived_at.getTime() : null
    return [{ id, lat, lon, zone, radiusM, arrivedAt, due: row.due.getTime() }]
  })

/** The newest of what is known of where an order is: the pick-up that it left, stops of the vehicle that were reached and left, and positions. */
function lastKnown({ order }: Running, round: readonly Running[]): Known {
  const known: Known[] = [{ lat: order.left_lat, lon: order.left_lon, at: order.left_at.getTime(), hasLeft: false }]
  for (const { lat, lon, arrived_at, departed_at, settled_at } of round.flatMap(({ stops }) => stops)) {
    const at = arrived_at && (departed_at ?? settled_at ?? arrived_at)
    if (at) known.push({ lat, lon, at: at.getTime(), hasLeft: true })
  }
  for (const { lat_e7, lon_e7, position_at } of positionsOf(order, round))
    if (position_at && lat_e7 != null && lon_e7 != null)
      known.push({ lat: degrees(lat_e7), lon: degrees(lon_e7), at: position_at.getTime(), hasLeft: true })
  return known.reduce((newest, one) => (one.at > newest.at ? one : newest))
}

/** The positions that tell where an order is: its own, and of other orders of the vehicle those that everybody may know. */
const positionsOf = (order: RunningRow, round: readonly Running[]): RunningRow[] =>
  round.map((one) => one.order).filter((other) => other.position_at && (other.id === order.id || other.is_public))

interface Estimated {
  start: Known
  /** Its positions are old. */
  isFrozen: boolean
  expected: ReadonlyMap<string, Arrival>
  now: number
}

const toMinute = (ms: number, round: (value: number) => number) =>
  new Date(round(ms / minuteMs) * minuteMs).toISOString()

function changesOf({ order, stops }: Running, { start, isFrozen, expected, now }: Estimated): EtaWrite[] {
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
