/** Degrees, WGS 84. */
export type Position = { lat: number; lon: number }

/** [west, south, east, north] in degrees; east may exceed 180 where a path crosses the date line. */
export type Bounds = [west: number, south: number, east: number, north: number]

/**
 * Whether a position can be shown. Trackers without a fix report exactly 0, 0; nothing is ever there to the last digit,
 * so it counts as no position.
 */
export function isPosition(value: { lat?: number | null; lon?: number | null } | null | undefined): value is Position {
  const { lat, lon } = value ?? {}
  if (typeof lat !== 'number' || typeof lon !== 'number') return false
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) return false
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && !(lat === 0 && lon === 0)
}

/** The smallest box around all positions, or null without any. */
export function boundsOf(positions: readonly Position[]): Bounds | null {
  const [first] = positions
  if (!first) return null
  const bounds: Bounds = [first.lon, first.lat, first.lon, first.lat]
  for (const { lat, lon } of positions) {
    bounds[0] = Math.min(bounds[0], lon)
    bounds[1] = Math.min(bounds[1], lat)
    bounds[2] = Math.max(bounds[2], lon)
    bounds[3] = Math.max(bounds[3], lat)
  }
  return bounds
}

export function joinBounds(a: Bounds | null, b: Bounds | null): Bounds | null {
  if (!a || !b) return a ?? b
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

const EARTH_RADIUS_M = 6_371_008
const CIRCLE_STEPS = 64

/** A closed ring of points `radiusM` metres around a centre, for the circle of a fix's accuracy. */
export function circleAround({ lat, lon }: Position, radiusM: number): [lon: number, lat: number][] {
  const angular = radiusM / EARTH_RADIUS_M
  const latR = (lat * Math.PI) / 180
  const ring: [number, number][] = []
  for (let step = 0; step <= CIRCLE_STEPS; step++) {
    const bearing = (2 * Math.PI * step) / CIRCLE_STEPS
    const sine = Math.sin(latR) * Math.cos(angular) + Math.cos(latR) * Math.sin(angular) * Math.cos(bearing)
    const turn = Math.atan2(
      Math.sin(bearing) * Math.sin(angular) * Math.cos(latR),
      Math.cos(angular) - Math.sin(latR) * sine,
    )
    ring.push([lon + (turn * 180) / Math.PI, (Math.asin(sine) * 180) / Math.PI])
  }
  return ring
}
