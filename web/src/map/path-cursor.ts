import { isGap, type PlacedPoint } from './path-data.ts'
import type { Position } from './positions.ts'

/**
 * Where the thing was at a moment, or null outside the journey. Paths come thinned, so between two points it is on the
 * line between them; across a gap it is at the one nearer in time.
 */
export function positionAt(points: readonly PlacedPoint[], at: number, gapMs?: number): Position | null {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || at < first.at || at > last.at) return null
  let low = 0
  let high = points.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? 0) <= at) low = middle
    else high = middle
  }
  const [before, after] = [points[low] ?? first, points[high] ?? last]
  const span = after.at - before.at
  const share = span > 0 ? (at - before.at) / span : 0
  const along = isGap(before, after, gapMs) ? Math.round(share) : share
  return { lat: before.lat + (after.lat - before.lat) * along, lon: before.lon + (after.lon - before.lon) * along }
}

/** The moment at which the journey came nearest to a place, for the cursor that follows the pointer. */
export function momentNear(points: readonly PlacedPoint[], place: Position, gapMs?: number): number | null {
  const narrowing = Math.cos((place.lat * Math.PI) / 180)
  let moment: number | null = null
  let least = Number.POSITIVE_INFINITY
  points.forEach((to, i) => {
    const from = points[i - 1] ?? to
    // East and north of the place, in degrees of latitude; a turn around the world is no distance.
    const turn = Math.round((to.lon - place.lon) / 360) * 360
    const [ax, ay] = [(from.lon - place.lon - turn) * narrowing, from.lat - place.lat]
    const [dx, dy] = [(to.lon - from.lon) * narrowing, to.lat - from.lat]
    const length = dx * dx + dy * dy
    const foot = length > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length)) : 0
    const along = isGap(from, to, gapMs) ? Math.round(foot) : foot
    const distance = (ax + dx * along) ** 2 + (ay + dy * along) ** 2
    if (distance < least) [moment, least] = [Math.round(from.at + (to.at - from.at) * along), distance]
  })
  return moment
}
