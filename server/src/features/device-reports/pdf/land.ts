import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { Topology } from 'topojson-specification'

type Point = [number, number]
/** Degrees; east may be beyond 180. */
export interface Frame {
  west: number
  south: number
  east: number
  north: number
}

const { resolve } = createRequire(import.meta.url)

/** The land within a frame, as rings of [longitude, latitude]; holes are rings too (fill by the even-odd rule). */
export async function landWithin(frame: Frame): Promise<Point[][]> {
  // A continent needs no fjords, and the fine file is six times the size.
  const detail = frame.east - frame.west > 12 ? '50m' : '10m'
  const topology = JSON.parse(await readFile(resolve(`world-atlas/land-${detail}.json`), 'utf8')) as Topology
  const land = topology.objects.land
  if (!land) return []
  const found = feature(topology, land)
  const rings: Point[][] = []
  const turns = frame.west < -180 || frame.east > 180 ? [-360, 0, 360] : [0]
  for (const { geometry } of found.type === 'FeatureCollection' ? found.features : [found]) {
    const polygons =
      geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : []
    for (const ring of polygons.flat() as Point[][])
      for (const turn of turns) {
        const cut = clip(turn === 0 ? ring : ring.map(([lon, lat]): Point => [lon + turn, lat]), frame)
        if (cut.length > 2) rings.push(cut)
      }
  }
  return rings
}

/** Sutherland and Hodgman: a ring cut off at each side of the frame in turn. */
function clip(ring: Point[], { west, south, east, north }: Frame): Point[] {
  const misses = (axis: 0 | 1, least: number, most: number) =>
    ring.every((point) => point[axis] < least) || ring.every((point) => point[axis] > most)
  if (misses(0, west, east) || misses(1, south, north)) return []
  let points = ring
  for (const [axis, limit, sign] of [
    [0, west, 1],
    [0, east, -1],
    [1, south, 1],
    [1, north, -1],
  ] as const)
    points = cut(points, axis, limit, sign)
  return points
}

function cut(points: Point[], axis: 0 | 1, limit: number, sign: 1 | -1): Point[] {
  const isIn = (point: Point) => (point[axis] - limit) * sign >= 0
  const kept: Point[] = []
  points.forEach((point, index) => {
    const before = points[(index || points.length) - 1] ?? point
    if (isIn(point) !== isIn(before)) {
      const share = (limit - before[axis]) / (point[axis] - before[axis])
      const other = axis === 0 ? 1 : 0
      const at = before[other] + share * (point[other] - before[other])
      kept.push(axis === 0 ? [limit, at] : [at, limit])
    }
    if (isIn(point)) kept.push(point)
  })
  return kept
}
