import type { StopAhead } from './eta.ts'
import { distanceM } from './sphere.ts'

/** A stop that is still to be served, and when it is due: ms since 1970. */
export interface DueStop extends StopAhead {
  due: number
}

interface Place {
  lat: number
  lon: number
}

/**
 * The stops of the orders of one vehicle as it is expected to serve them, since nobody says so: each order in its own sequence; of the stops that may
 * come next the one where it stands, then the one that is due first, then the nearest.
 */
export function inTurn(orders: readonly (readonly DueStop[])[], start: Place): DueStop[] {
  const waiting = orders.filter((stops) => stops.length > 0).map((stops) => ({ stops, served: 0 }))
  const turn: DueStop[] = []
  let place = start
  for (;;) {
    let next: { stop: DueStop; of: { served: number } } | null = null
    for (const of of waiting) {
      const stop = of.stops[of.served]
      if (stop && (next === null || isBefore(stop, next.stop, place))) next = { stop, of }
    }
    if (next === null) return turn
    next.of.served += 1
    turn.push(next.stop)
    place = next.stop
  }
}

function isBefore(a: DueStop, b: DueStop, place: Place): boolean {
  if ((a.arrivedAt === null) !== (b.arrivedAt === null)) return a.arrivedAt !== null
  if (a.due !== b.due) return a.due < b.due
  return distanceM(place, a) < distanceM(place, b)
}
