import type { FenceArea, LatLon } from '@isotherm/contract/places.ts'
import { type Box, BoxTree } from './box-tree.ts'
import { earthRadiusM, radians } from './sphere.ts'

/** Degrees around an area. Areas reach neither over the date line nor to the poles. */
export function boxOf(area: FenceArea): Box {
  const known = boxes.get(area)
  if (known) return known
  const box = area.kind === 'circle' ? boxAround(area.centre, area.radiusM * 1.01) : boxOfPoints(area.points)
  boxes.set(area, box)
  return box
}
const boxes = new WeakMap<FenceArea, Box>()

function boxOfPoints(points: readonly LatLon[]): Box {
  const box = {
    south: Number.POSITIVE_INFINITY,
    north: Number.NEGATIVE_INFINITY,
    west: Number.POSITIVE_INFINITY,
    east: Number.NEGATIVE_INFINITY,
  }
  for (const { lat, lon } of points) {
    box.south = Math.min(box.south, lat)
    box.north = Math.max(box.north, lat)
    box.west = Math.min(box.west, lon)
    box.east = Math.max(box.east, lon)
  }
  return box
}

/** Degrees that hold all places within so many metres of one. */
export function boxAround({ lat, lon }: LatLon, radiusM: number): Box {
  const up = ((radiusM / earthRadiusM) * 180) / Math.PI
  const aside = up / Math.max(0.01, Math.cos(radians(Math.min(89, Math.abs(lat) + up))))
  return { south: lat - up, north: lat + up, west: lon - aside, east: lon + aside }
}

type Polygon = Extract<FenceArea, { kind: 'polygon' }>
const trees = new WeakMap<Polygon, BoxTree>()

/**
 * Calls `found` with the ends of each edge of a polygon whose box meets the one asked for, until it answers true; of every edge
 * where none is asked for. The edges are put into a tree once per polygon, which must not change after that.
 */
export function searchEdges(area: Polygon, box: Box | null, found: (a: LatLon, b: LatLon) => boolean): boolean {
  const { points } = area
  const endOf = (i: number) => points[(i + 1) % points.length] as LatLon
  if (!box) return points.some((a, i) => found(a, endOf(i)))
  const known = trees.get(area)
  const tree = known ?? new BoxTree(points.map((a, i) => boxOfPoints([a, endOf(i)])))
  if (!known) trees.set(area, tree)
  return tree.search(box, (i) => found(points[i] as LatLon, endOf(i)))
}

// Rounding loses far less than a tenth of a millimetre.
const marginDegrees = 1e-9

/**
 * The box of a stretch around a place in an area's own longitudes, degrees: `up` and `aside` say how far it reaches from the
 * place. Null where the area reaches over the meridian opposite the place: there is no telling which way round is meant.
 */
export function reachFrom(area: Polygon, place: LatLon, up: [number, number], aside: [number, number]): Box | null {
  const { west, east } = boxOf(area)
  const turns = Math.round((west - place.lon) / 360)
  if (turns !== Math.round((east - place.lon) / 360)) return null
  const lon = place.lon + 360 * turns
  return {
    south: place.lat + Math.min(...up) - marginDegrees,
    north: place.lat + Math.max(...up) + marginDegrees,
    west: lon + Math.min(...aside) - marginDegrees,
    east: lon + Math.max(...aside) + marginDegrees,
  }
}
