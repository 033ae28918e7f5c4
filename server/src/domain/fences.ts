import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import { searchEdges } from './fence-shape.ts'
import { distanceM, earthRadiusM, radians } from './sphere.ts'

/** Why an area cannot be a fence. */
export type FenceFault = 'tooFewPoints' | 'crossesItself' | 'crossesDateLine' | 'nearPole' | 'tooSmall' | 'tooLarge'

/** The map ends here (Web Mercator), and so do fences. */
const northernmost = 85
/** A circle of 20 m; and a fence larger than Egypt watches nothing. */
const smallestM2 = 400
const largestM2 = 1e12

/** The corners without those that repeat the one before; a ring that ends where it began is opened. */
export function openRing(points: readonly LatLon[]): LatLon[] {
  const same = (a: LatLon | undefined, b: LatLon | undefined) => a?.lat === b?.lat && a?.lon === b?.lon
  const ring = points.filter((point, i) => i === 0 || !same(point, points[i - 1]))
  while (ring.length > 1 && same(ring[0], ring.at(-1))) ring.pop()
  return ring
}

/** Names the fault of an area, or null. Give polygons through `openRing`. */
export function faultOf(area: FenceArea): FenceFault | null {
  return area.kind === 'circle' ? circleFault(area.centre, area.radiusM) : polygonFault(area.points)
}

function circleFault(centre: LatLon, radiusM: number): FenceFault | null {
  const angle = radiusM / earthRadiusM
  const reach = (angle * 180) / Math.PI
  if (Math.abs(centre.lat) + reach > northernmost) return 'nearPole'
  // The meridians that the circle touches lie this far from its centre's.
  const side = (Math.asin(Math.sin(angle) / Math.cos(radians(centre.lat))) * 180) / Math.PI
  return Math.abs(centre.lon) + side > 180 ? 'crossesDateLine' : null
}

function polygonFault(points: readonly LatLon[]): FenceFault | null {
  if (points.length < 3) return 'tooFewPoints'
  if (points.some(({ lat }) => Math.abs(lat) > northernmost)) return 'nearPole'
  if (edgesOf(points).some(([a, b]) => Math.abs(b.lon - a.lon) > 180)) return 'crossesDateLine'
  if (crossesItself(points)) return 'crossesItself'
  const area = areaM2({ kind: 'polygon', points: [...points] })
  if (area < smallestM2) return 'tooSmall'
  return area > largestM2 ? 'tooLarge' : null
}

type Edge = readonly [LatLon, LatLon]
const edgesOf = (points: readonly LatLon[]): Edge[] =>
  points.map((point, i) => [point, points[(i + 1) % points.length] ?? point] as const)

/** Every two edges that are no neighbours are compared: at most 125,000 pairs. Neighbours may not fold back on each other. */
function crossesItself(points: readonly LatLon[]): boolean {
  const edges = edgesOf(points)
  return edges.some((a, i) =>
    edges.slice(i + 1).some((b, offset) => {
      const j = i + 1 + offset
      if (j === i + 1) return foldsBack(a[0], a[1], b[1])
      if (i === 0 && j === edges.length - 1) return foldsBack(b[0], b[1], a[1])
      return meet(a, b)
    }),
  )
}

/** Twice the signed area of a triangle; the sign is the side of a-b on which c lies. */
const turn = (a: LatLon, b: LatLon, c: LatLon): number =>
  (b.lon - a.lon) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lon - a.lon)
const within = (a: LatLon, b: LatLon, c: LatLon): boolean =>
  Math.min(a.lon, b.lon) <= c.lon &&
  c.lon <= Math.max(a.lon, b.lon) &&
  Math.min(a.lat, b.lat) <= c.lat &&
  c.lat <= Math.max(a.lat, b.lat)

const foldsBack = (a: LatLon, corner: LatLon, c: LatLon): boolean =>
  turn(a, corner, c) === 0 &&
  (a.lon - corner.lon) * (c.lon - corner.lon) + (a.lat - corner.lat) * (c.lat - corner.lat) > 0

function meet([a, b]: Edge, [c, d]: Edge): boolean {
  const [c1, d1, a1, b1] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
  if (c1 * d1 < 0 && a1 * b1 < 0) return true
  return (
    (c1 === 0 && within(a, b, c)) ||
    (d1 === 0 && within(a, b, d)) ||
    (a1 === 0 && within(c, d, a)) ||
    (b1 === 0 && within(c, d, b))
  )
}

/** Square metres on the sphere (Chamberlain and Duquette, 2007, for polygons; the cap for circles). */
export function areaM2(area: FenceArea): number {
  if (area.kind === 'circle') return 2 * Math.PI * earthRadiusM ** 2 * (1 - Math.cos(area.radiusM / earthRadiusM))
  const sum = edgesOf(area.points).reduce(
    (total, [a, b]) => total + radians(b.lon - a.lon) * (2 + Math.sin(radians(a.lat)) + Math.sin(radians(b.lat))),
    0,
  )
  return Math.abs((sum * earthRadiusM ** 2) / 2)
}

export interface Bounds {
  south: number
  north: number
  west: number
  east: number
}

/** Degrees that no place inside lies beyond; a fence never crosses the date line, nor reaches a pole. */
export function boundsOf(area: FenceArea): Bounds {
  if (area.kind === 'polygon') {
    const [lats, lons] = [area.points.map(({ lat }) => lat), area.points.map(({ lon }) => lon)]
    return { south: Math.min(...lats), north: Math.max(...lats), west: Math.min(...lons), east: Math.max(...lons) }
  }
  const { centre, radiusM } = area
  const angle = radiusM / earthRadiusM
  const degrees = (value: number) => (value * 180) / Math.PI
  // Rounding loses far less than the 1e-6 degrees (0.1 m) added.
  const [lat, lon] = [degrees(angle) + 1e-6, degrees(Math.asin(Math.sin(angle) / Math.cos(radians(centre.lat)))) + 1e-6]
  return { south: centre.lat - lat, north: centre.lat + lat, west: centre.lon - lon, east: centre.lon + lon }
}

/** Whether a place lies inside. A polygon's edges are lines of constant bearing: straight on the map, as they were drawn. */
export function isInside(area: FenceArea, place: LatLon): boolean {
  if (area.kind === 'circle') return distanceM(area.centre, place) <= area.radiusM
  let inside = false
  // A ray to the east: only edges that reach its latitude, and are not all west of the place, can cross it.
  const ray = { south: place.lat, north: place.lat, west: place.lon - 1e-9, east: Number.POSITIVE_INFINITY }
  searchEdges(area, ray, (a, b) => {
    if (a.lat > place.lat === b.lat > place.lat) return false
    const share = (northing(place.lat) - northing(a.lat)) / (northing(b.lat) - northing(a.lat))
    if (place.lon < a.lon + share * (b.lon - a.lon)) inside = !inside
    return false
  })
  return inside
}

/** Mercator's ordinate. */
const northing = (lat: number): number => Math.asinh(Math.tan(radians(lat)))
