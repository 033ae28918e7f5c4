import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import type { FenceCondition } from './alarm-conditions.ts'
import type { Firing, Sample } from './alarm-firing.ts'
import type { Box } from './box-tree.ts'
import { boxAround, boxOf, reachFrom, searchEdges } from './fence-shape.ts'
import { isInside } from './fences.ts'
import { distanceM, earthRadiusM, radians, shortWay } from './sphere.ts'

export interface Fix extends LatLon {
  at: number
  /** Radius of its uncertainty, metres; 0 where the device does not say. */
  accuracyM: number
}

/** On which side of a fence a device was by its last certain fix. */
export interface FenceSide {
  side: 'in' | 'out'
  fix: Fix | null
}

/** The effect of a fix on a fence. `crossedAt`: when the border was crossed; `through`: in and out again between two fixes. */
export interface FenceStep {
  side: FenceSide
  crossedAt: number | null
  through: { from: number; to: number } | null
}

/** The side a fix is on; null where its uncertainty reaches over the border, so that jitter at a border does not flap. */
export function sideOfFence(area: FenceArea, fix: Fix): 'in' | 'out' | null {
  const side = isInside(area, fix) ? 'in' : 'out'
  return fix.accuracyM > 0 && isBorderWithin(area, fix, fix.accuracyM) ? null : side
}

/** Whether a fix says on which side of a fence it is. */
export const isCertain = (area: FenceArea, fix: Fix): boolean =>
  fix.accuracyM <= 0 || isFarOff(area, fix, fix) || !isBorderWithin(area, fix, fix.accuracyM)

/**
 * Takes the next fix. The first certain one only says where the device is. Between two certain fixes not more than
 * `holdMs` apart the device is taken to have gone straight at an even pace.
 */
export function stepFence(before: FenceSide | undefined, area: FenceArea, fix: Fix, holdMs: number): FenceStep {
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

/** Degrees that the way from a fix to the next lies in, uncertain as that is; null where it goes over the date line. */
export function boxOfWay(from: LatLon, to: Fix): Box | null {
  if (Math.abs(to.lon - from.lon) > 180) return null
  const margin = boxAround(to, to.accuracyM * 1.01)
  return {
    south: Math.min(from.lat, margin.south),
    north: Math.max(from.lat, margin.north),
    west: Math.min(from.lon, margin.west),
    east: Math.max(from.lon, margin.east),
  }
}

/** Whether the way from a fix to the next passes an area by beyond doubt: most fences, most of the time. */
function isFarOff(area: FenceArea, from: LatLon, to: Fix): boolean {
  const way = boxOfWay(from, to)
  if (!way) return false
  const { south, north, west, east } = boxOf(area)
  return way.north < south || way.south > north || way.east < west || way.west > east
}

const instant = (a: Fix, b: Fix, share: number) => Math.round(a.at + (b.at - a.at) * share)

/** The effect of a step on a condition of its fence. */
export function fenceSample(
  { direction, delayMs }: FenceCondition,
  { side, crossedAt }: FenceStep,
  at: number,
  holdMs: number,
  isArmed: boolean,
): Sample {
  const isThere = side.side === direction
  return {
    at,
    since: crossedAt ?? at,
    starts: isThere && crossedAt !== null && isArmed,
    holds: isThere && isArmed,
    isNormal: !isThere,
    value: null,
    isFarther: () => false,
    holdMs,
    delayMs,
  }
}

/** The firing of a device that passed through between two fixes, where it stayed long enough. */
export function passage({ direction, delayMs }: FenceCondition, { through }: FenceStep): Firing | null {
  if (direction !== 'in' || !through || through.to - through.from < delayMs) return null
  return {
    breachAt: through.from,
    dueAt: through.from + delayMs,
    openedAt: through.from + delayMs,
    normalAt: through.to,
    lastAt: through.to,
    lastHoldMs: 0,
    value: null,
    peak: null,
    peakAt: through.from,
  }
}

/** Whether an area's border is nearer than that to a place: local plane, which is exact enough for accuracies of fixes. */
function isBorderWithin(area: FenceArea, place: LatLon, metres: number): boolean {
  if (area.kind === 'circle') return Math.abs(distanceM(area.centre, place) - area.radiusM) < metres
  const up = ((metres / earthRadiusM) * 180) / Math.PI
  const aside = Math.min(360, up / Math.cos(radians(place.lat)))
  const box = reachFrom(area, place, [-up, up], [-aside, aside])
  return searchEdges(area, box, (a, b) => distanceToOrigin(planeOf(place, a), planeOf(place, b)) < metres)
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
  const box = reachFrom(area, a, [0, b.lat - a.lat], [0, shortWay(b.lon - a.lon)])
  const shares: number[] = []
  searchEdges(area, box, (p, q) => {
    const share = edgeCrossing([bx, by], planeOf(a, p), planeOf(a, q))
    if (share !== null) shares.push(share)
    return false
  })
  return shares.sort((one, other) => one - other)
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
