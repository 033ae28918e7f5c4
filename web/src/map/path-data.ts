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

/** Whether nothing is known of the way between two points. */
export function isGap(from: PlacedPoint, to: PlacedPoint, gapMs: number | undefined): boolean {
  return to.afterGap === true || (gapMs !== undefined && to.at - from.at > gapMs)
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
    const gap = isGap(from, to, gapMs)
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
