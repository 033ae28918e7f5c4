import type { Feature, FeatureCollection, LineString, Point } from 'geojson'
import type { MarkerState } from './marker-data.ts'
import { isPosition, type Position } from './positions.ts'

/**
 * One fix of a journey; `at` in milliseconds since 1970. `state` colours the way from it to the next. `afterGap`: nothing
 * is known of the way to it.
 */
export type PathPoint = {
  at: number
  lat: number | null
  lon: number | null
  state?: MarkerState
  afterGap?: boolean
}

/** A journey. Between points more than `gapMs` apart, too, nothing is known: such stretches are drawn dashed. */
export type MapPath = { points: readonly PathPoint[]; gapMs?: number }

export type PlacedPoint = PathPoint & Position

type Stretch = { gap: boolean; state: MarkerState | 'plain' }
type LineProperties = Stretch

/** Usable points in order of time; longitudes run on beyond ±180 where the journey crosses the date line. */
export function placedPoints(path: MapPath | null | undefined): PlacedPoint[] {
  const sorted = (path?.points ?? [])
    .filter((point): point is PlacedPoint => isPosition(point) && Number.isFinite(point.at))
    .sort((a, b) => a.at - b.at)
  let shift = 0
  let before: number | undefined
  return sorted.map((point) => {
    if (before !== undefined && point.lon - before > 180) shift -= 360
    if (before !== undefined && point.lon - before < -180) shift += 360
    before = point.lon
    return shift === 0 ? point : { ...point, lon: point.lon + shift }
  })
}

/** The journey as lines: a new one wherever the state changes or a gap begins or ends. */
export function pathLines(
  points: readonly PlacedPoint[],
  gapMs?: number,
): FeatureCollection<LineString, LineProperties> {
  const features: Feature<LineString, LineProperties>[] = []
  let current: Feature<LineString, LineProperties> | undefined
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]]
    if (!from || !to) continue
    const gap = to.afterGap === true || (gapMs !== undefined && to.at - from.at > gapMs)
    const state = gap ? 'plain' : (from.state ?? 'plain')
    if (current && current.properties.gap === gap && current.properties.state === state) {
      current.geometry.coordinates.push([to.lon, to.lat])
      continue
    }
    current = {
      type: 'Feature',
      geometry: {
        type: 'LineString',
        coordinates: [
          [from.lon, from.lat],
          [to.lon, to.lat],
        ],
      },
      properties: { gap, state },
    }
    features.push(current)
  }
  return { type: 'FeatureCollection', features }
}

/** Where the journey begins and ends; one point has an end only. */
export function pathEnds(points: readonly PlacedPoint[]): FeatureCollection<Point, { end: 'start' | 'finish' }> {
  const [first] = points
  const last = points.at(-1)
  const features: Feature<Point, { end: 'start' | 'finish' }>[] = []
  if (first && points.length > 1) features.push(endPoint(first, 'start'))
  if (last) features.push(endPoint(last, 'finish'))
  return { type: 'FeatureCollection', features }
}

function endPoint({ lon, lat }: PlacedPoint, end: 'start' | 'finish'): Feature<Point, { end: 'start' | 'finish' }> {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [lon, lat] }, properties: { end } }
}

/** Where the thing was at a moment: the fix nearest in time, or null outside the journey. */
export function pointAt(points: readonly PlacedPoint[], at: number): PlacedPoint | null {
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
  return at - before.at <= after.at - at ? before : after
}

/** The fix nearest to a place on the screen's map, for the cursor that follows the pointer. */
export function pointNear(points: readonly PlacedPoint[], { lat, lon }: Position): PlacedPoint | null {
  const narrowing = Math.cos((lat * Math.PI) / 180)
  let nearest: PlacedPoint | null = null
  let least = Number.POSITIVE_INFINITY
  for (const point of points) {
    const turn = (((point.lon - lon + 540) % 360) + 360) % 360
    const distance = ((turn - 180) * narrowing) ** 2 + (point.lat - lat) ** 2
    if (distance < least) [nearest, least] = [point, distance]
  }
  return nearest
}
