import type { FenceArea, Geofence, LatLon, PointOfInterest } from '@isotherm/contract/places.ts'
import type { Position as Corner, Feature, FeatureCollection, Point, Polygon } from 'geojson'
import { type Bounds, boundsOf, circleAround } from '../../map/positions.ts'

/** The shape being drawn or changed: a fence's area, or the position of a point with its radius. */
export type Shape = FenceArea | { kind: 'point'; position: LatLon; radiusM: number }
export type ShapeKind = Shape['kind']

/** A chosen geofence or point of interest. */
export type Chosen = { kind: 'geofence'; fence: Geofence } | { kind: 'point'; point: PointOfInterest }

/** The chosen place as it is now, where somebody changed it since: a form that begins with an older one would be refused. */
export function newest(chosen: Chosen, fences: readonly Geofence[], points: readonly PointOfInterest[]): Chosen {
  if (chosen.kind === 'geofence') {
    const fence = fences.find(({ id }) => id === chosen.fence.id)
    return fence && fence.version > chosen.fence.version ? { kind: 'geofence', fence } : chosen
  }
  const point = points.find(({ id }) => id === chosen.point.id)
  return point && point.version > chosen.point.version ? { kind: 'point', point } : chosen
}

const earthRadiusM = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Metres along the great circle. */
export function distanceM(a: LatLon, b: LatLon): number {
  const half = Math.sin(radians(b.lat - a.lat) / 2) ** 2
  const across = Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lon - a.lon) / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(half + across)))
}

/** The outline of a shape as a closed ring of [lon, lat]. */
export function ringOf(shape: Shape): Corner[] {
  if (shape.kind === 'circle') return circleAround(shape.centre, shape.radiusM)
  if (shape.kind === 'point') return circleAround(shape.position, shape.radiusM)
  const ring = shape.points.map(({ lat, lon }): Corner => [lon, lat])
  return ring[0] ? [...ring, ring[0]] : []
}

/** A polygon's corners from a closed ring. */
export function pointsOf(ring: readonly Corner[]): LatLon[] {
  const corners = ring.map(([lon = 0, lat = 0]) => ({ lat, lon }))
  const [first] = corners
  const last = corners.at(-1)
  return corners.length > 1 && first?.lat === last?.lat && first?.lon === last?.lon ? corners.slice(0, -1) : corners
}

/** The circle whose outline a ring is: its middle, and how far its northern edge lies from there. */
export function circleOf(ring: readonly Corner[]): { centre: LatLon; radiusM: number } {
  const corners = pointsOf(ring)
  const [west, south, east, north] = boundsOf(corners) ?? [0, 0, 0, 0]
  // As seen from a middle that is a little north of the sphere's, edges north and south are equally far.
  const centre = { lat: (south + north) / 2, lon: (west + east) / 2 }
  return { centre, radiusM: distanceM(centre, { lat: north, lon: centre.lon }) }
}

/** Whole metres; kilometres in hundreds of metres. */
export const roundRadius = (radiusM: number): number =>
  radiusM < 10_000 ? Math.round(radiusM) : Math.round(radiusM / 100) * 100

export type FenceProperties = { id: string; name: string; colour: string }

export function fenceFeatures(fences: readonly Geofence[]): FeatureCollection<Polygon, FenceProperties> {
  return {
    type: 'FeatureCollection',
    features: fences.map(({ id, name, colour, area }) => ({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ringOf(area)] },
      properties: { id, name, colour },
    })),
  }
}

export function pointFeatures(
  points: readonly PointOfInterest[],
): FeatureCollection<Point, { id: string; name: string }> {
  return {
    type: 'FeatureCollection',
    features: points.map(({ id, name, position: { lat, lon } }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: { id, name },
    })),
  }
}

/** Where the names of fences stand: at the middle of their northern edge's height, so that they do not hide what is inside. */
export function labelFeatures(fences: readonly Geofence[]): FeatureCollection<Point, FenceProperties> {
  return {
    type: 'FeatureCollection',
    features: fences.map(({ id, name, colour, area }): Feature<Point, FenceProperties> => {
      const [west, , east, north] = boundsOfShape(area)
      return {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [(west + east) / 2, north] },
        properties: { id, name, colour },
      }
    }),
  }
}

export function boundsOfShape(shape: Shape): Bounds {
  return boundsOf(pointsOf(ringOf(shape))) ?? [0, 0, 0, 0]
}

/** The reach of points, drawn faintly around them. */
export function reachFeatures(points: readonly PointOfInterest[]): FeatureCollection<Polygon, { id: string }> {
  return {
    type: 'FeatureCollection',
    features: points.map(({ id, position, radiusM }) => ({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [circleAround(position, radiusM)] },
      properties: { id },
    })),
  }
}
