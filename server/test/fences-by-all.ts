import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import type { FenceSide, FenceStep, Fix } from '../src/domain/alarm-fence.ts'
import { distanceM, earthRadiusM, radians, shortWay } from '../src/domain/sphere.ts'

/*
 * The judgement of fences without any index: every edge of every fence is looked at. Tests hold the indexed one to it.
 */

/** The side a fix is on; null where its uncertainty reaches over the border, so that jitter at a border does not flap. */
function sideOfFence(area: FenceArea, fix: Fix): 'in' | 'out' | null {
  const side = isInside(area, fix) ? 'in' : 'out'
  return fix.accuracyM > 0 && distanceToBorderM(area, fix) < fix.accuracyM ? null : side
}

/**
 * Takes the next fix. The first certain one only says where the device is. Between two certain fixes not more than
 * `holdMs` apart the device is taken to have gone straight at an even pace.
 */
export function stepFenceByAll(before: FenceSide | undefined, area: FenceArea, fix: Fix, holdMs: number): FenceStep {
  if (before?.side !== 'in' && isFarOff(area, before?.fix ?? fix, fix))
    return { side: { side: 'out', fix }, crossedAt: null, through: null }
  const side = sideOfFence(area, fix)
  if (side === null) return { side: before ?? { side: 'out', fix: null }, crossedAt: null, through: null }
  const now: FenceSide = { side, fix }
  if (!before) return { side: now, crossedAt: null, through: null }
  const from = before.fix
  const isNear = from !== null && fix.at - from.at <= holdMs
  if (side !== before.side) {
    const share = isNear ? (crossings(area, from, fix)[0] ?? 1) : 1
    return { side: now, crossedAt: from && isNear ? instant(from, fix, share) : fix.at, through: null }
  }
  if (side === 'in' || !isNear) return { side: now, crossedAt: null, through: null }
  const [entered, left] = crossings(area, from, fix)
  if (entered === undefined || left === undefined) return { side: now, crossedAt: null, through: null }
  return {
    side: now,
    crossedAt: null,
    through: { from: instant(from, fix, entered), to: instant(from, fix, left) },
  }
}

interface Box {
  south: number
  north: number
  west: number
  east: number
}
/** Degrees around an area. Areas reach neither over the date line nor to the poles. */
function boxOf(area: FenceArea): Box {
  return area.kind === 'circle' ? boxAround(area.centre, area.radiusM * 1.01) : boxOfPoints(area.points)
}
const boxOfPoints = (points: readonly LatLon[]): Box => ({
  south: Math.min(...points.map(({ lat }) => lat)),
  north: Math.max(...points.map(({ lat }) => lat)),
  west: Math.min(...points.map(({ lon }) => lon)),
  east: Math.max(...points.map(({ lon }) => lon)),
})
function boxAround({ lat, lon }: LatLon, radiusM: number): Box {
  const up = ((radiusM / earthRadiusM) * 180) / Math.PI
  const quarantine = up / Math.max(0.01, Math.cos(radians(Math.min(89, Math.abs(lat) + up))))
  return { south: lat - up, north: lat + up, west: lon - quarantine, east: lon + quarantine }
}

/** Whether the way from a fix to the next, uncertain as that is, passes an area by beyond doubt: most fences, most of the time. */
function isFarOff(area: FenceArea, from: LatLon, to: Fix): boolean {
  if (Math.abs(to.lon - from.lon) > 180) return false
  const { south, north, west, east } = boxOf(area)
  const margin = boxAround(to, to.accuracyM * 1.01)
  return (
    Math.max(from.lat, margin.north) < south ||
    Math.min(from.lat, margin.south) > north ||
    Math.max(from.lon, margin.east) < west ||
    Math.min(from.lon, margin.west) > east
  )
}

const instant = (a: Fix, b: Fix, share: number) => Math.round(a.at + (b.at - a.at) * share)

function isInside(area: FenceArea, place: LatLon): boolean {
  if (area.kind === 'circle') return distanceM(area.centre, place) <= area.radiusM
  let inside = false
  for (const [i, a] of area.points.entries()) {
    const b = area.points[(i + 1) % area.points.length] ?? a
    if (a.lat > place.lat === b.lat > place.lat) continue
    const share = (northing(place.lat) - northing(a.lat)) / (northing(b.lat) - northing(a.lat))
    if (place.lon < a.lon + share * (b.lon - a.lon)) inside = !inside
  }
  return inside
}
const northing = (lat: number): number => Math.asinh(Math.tan(radians(lat)))

/** How far a place is from an area's border, metres: local plane, which is exact enough for accuracies of fixes. */
function distanceToBorderM(area: FenceArea, place: LatLon): number {
  if (area.kind === 'circle') return Math.abs(distanceM(area.centre, place) - area.radiusM)
  const points = area.points.map((point) => planeOf(place, point))
  return Math.min(
    ...points.map((a, i) => {
      const b = points[(i + 1) % points.length] ?? a
      return distanceToOrigin(a, b)
    }),
  )
}

type Xy = readonly [number, number]
const planeOf = (origin: LatLon, { lat, lon }: LatLon): Xy => [
  radians(shortWay(lon - origin.lon)) * earthRadiusM * Math.cos(radians(origin.lat)),
  radians(lat - origin.lat) * earthRadiusM,
]

function distanceToOrigin([ax, ay]: Xy, [bx, by]: Xy): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length))
  return Math.hypot(ax + share * dx, ay + share * dy)
}

/** Where the straight line between two fixes crosses the border, as shares of it, ascending. */
function crossings(area: FenceArea, a: LatLon, b: LatLon): number[] {
  const [bx, by] = planeOf(a, b)
  if (area.kind === 'circle') return circleCrossings(planeOf(a, area.centre), area.radiusM, [bx, by])
  const points = area.points.map((point) => planeOf(a, point))
  return points
    .flatMap((p, i) => edgeCrossing([bx, by], p, points[(i + 1) % points.length] ?? p) ?? [])
    .sort((one, other) => one - other)
}

function circleCrossings([cx, cy]: Xy, radiusM: number, [bx, by]: Xy): number[] {
  const length = bx * bx + by * by
  const along = bx * cx + by * cy
  const inner = along * along - length * (cx * cx + cy * cy - radiusM * radiusM)
  if (length === 0 || inner < 0) return []
  return [-1, 1].map((sign) => (along + sign * Math.sqrt(inner)) / length).filter((share) => share >= 0 && share <= 1)
}

function edgeCrossing([bx, by]: Xy, [px, py]: Xy, [qx, qy]: Xy): number | null {
  const [dx, dy] = [qx - px, qy - py]
  const turn = bx * dy - by * dx
  if (turn === 0) return null
  const share = (px * dy - py * dx) / turn
  const along = (px * by - py * bx) / turn
  return share >= 0 && share <= 1 && along >= 0 && along < 1 ? share : null
}
