export type LatLon = readonly [lat: number, lon: number]

/** The kind of a stretch of road; it decides speed, traffic and how often one has to halt. */
export type RoadKind = 'city' | 'town' | 'road' | 'highway' | 'pass'

export type Leg = { kind: RoadKind; via: readonly LatLon[] }

export type Halt = { name: string; at: LatLon; kind: 'delivery' | 'rest' }

/** A real road between two real cities, as hand-placed points along it, first city to last. */
export type Route = {
  name: string
  road: string
  from: { name: string; at: LatLon }
  to: { name: string; at: LatLon }
  /** Published driving distance, to test the drawn line against. */
  roadKm: number
  legs: readonly Leg[]
  halts: readonly Halt[]
}

/** A line with distances: point i lies `km[i]` along it; `kinds[i]` is the stretch that starts there. */
export type Path = { points: readonly LatLon[]; km: Float64Array; kinds: readonly RoadKind[]; lengthKm: number }

const radian = Math.PI / 180

/** Great-circle distance in km (haversine, mean earth radius 6371.0088 km). */
export function distanceKm(a: LatLon, b: LatLon): number {
  const s =
    Math.sin(((b[0] - a[0]) * radian) / 2) ** 2 +
    Math.cos(a[0] * radian) * Math.cos(b[0] * radian) * Math.sin(((b[1] - a[1]) * radian) / 2) ** 2
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(s)))
}

export function pathOf(points: readonly LatLon[], kinds: readonly RoadKind[]): Path {
  const km = new Float64Array(points.length)
  for (let i = 1; i < points.length; i++) km[i] = (km[i - 1] ?? 0) + distanceKm(at(points, i - 1), at(points, i))
  return { points, km, kinds, lengthKm: km[points.length - 1] ?? 0 }
}

const built = new WeakMap<Route, Path>()

/** The route as a smooth path with a point every kilometre or less. */
export function routePath(route: Route): Path {
  const known = built.get(route)
  if (known) return known
  const corners: LatLon[] = []
  const cornerKinds: RoadKind[] = []
  for (const leg of route.legs) {
    for (const point of leg.via) {
      corners.push(point)
      cornerKinds.push(leg.kind)
    }
  }
  const path = smooth(corners, cornerKinds, 0.8)
  built.set(route, path)
  return path
}

/** Centripetal Catmull-Rom through every point: passes them all, bends like a road and never loops. */
export function smooth(corners: readonly LatLon[], kinds: readonly RoadKind[], stepKm: number): Path {
  const points: LatLon[] = []
  const pointKinds: RoadKind[] = []
  for (let i = 0; i + 1 < corners.length; i++) {
    const [p0, p1, p2, p3] = [
      at(corners, Math.max(0, i - 1)),
      at(corners, i),
      at(corners, i + 1),
      at(corners, Math.min(corners.length - 1, i + 2)),
    ]
    const pieces = Math.max(1, Math.ceil(distanceKm(p1, p2) / stepKm))
    for (let piece = 0; piece < pieces; piece++) {
      points.push(piece === 0 ? p1 : catmullRom(p0, p1, p2, p3, piece / pieces))
      pointKinds.push(kinds[i] ?? 'road')
    }
  }
  points.push(at(corners, corners.length - 1))
  pointKinds.push(kinds[kinds.length - 1] ?? 'road')
  return pathOf(points, pointKinds)
}

function catmullRom(p0: LatLon, p1: LatLon, p2: LatLon, p3: LatLon, u: number): LatLon {
  const knot = (a: LatLon, b: LatLon) => Math.max(1e-6, Math.sqrt(Math.hypot(b[0] - a[0], b[1] - a[1])))
  const t1 = knot(p0, p1)
  const t2 = t1 + knot(p1, p2)
  const t3 = t2 + knot(p2, p3)
  const t = t1 + u * (t2 - t1)
  const mix = (a: LatLon, b: LatLon, ta: number, tb: number): LatLon => {
    const w = (t - ta) / (tb - ta)
    return [a[0] + (b[0] - a[0]) * w, a[1] + (b[1] - a[1]) * w]
  }
  const a2 = mix(p1, p2, t1, t2)
  const b1 = mix(mix(p0, p1, 0, t1), a2, 0, t2)
  const b2 = mix(a2, mix(p2, p3, t2, t3), t1, t3)
  return mix(b1, b2, t1, t2)
}

export function pointAt(path: Path, km: number): LatLon {
  const i = segmentAt(path, km)
  const [a, b] = [at(path.points, i), at(path.points, i + 1)]
  const length = (path.km[i + 1] ?? 0) - (path.km[i] ?? 0)
  const u = length > 0 ? Math.min(1, Math.max(0, (km - (path.km[i] ?? 0)) / length)) : 0
  return [a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u]
}

export function kindAt(path: Path, km: number): RoadKind {
  return path.kinds[segmentAt(path, km)] ?? 'road'
}

function segmentAt(path: Path, km: number): number {
  let low = 0
  let high = path.points.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((path.km[middle] ?? 0) <= km) low = middle
    else high = middle - 1
  }
  return low
}

/** How far along the path its nearest vertex to a place lies. */
export function nearestKm(path: Path, place: LatLon): number {
  let best = 0
  let bestKm = Number.POSITIVE_INFINITY
  for (const [i, point] of path.points.entries()) {
    const d = distanceKm(point, place)
    if (d < bestKm) [best, bestKm] = [i, d]
  }
  return path.km[best] ?? 0
}

function at(points: readonly LatLon[], index: number): LatLon {
  const point = points[index]
  if (!point) throw new RangeError(`no point ${index} on a path of ${points.length}`)
  return point
}
