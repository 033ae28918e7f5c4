import { createRequire } from 'node:module'
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { LatLon } from '../routes/geometry.ts'

type Topology = Parameters<typeof feature>[0]
type Area = Feature<Polygon | MultiPolygon>

const require = createRequire(import.meta.url)

/** The shapes of one layer of Natural Earth at 1:10m. */
function layerOf(atlas: Topology, layer: string): Area[] {
  const object = atlas.objects[layer]
  if (!object) throw new Error(`no layer ${layer} in the atlas`)
  const shapes = feature(atlas, object)
  return ('features' in shapes ? shapes.features : [shapes]) as Area[]
}

type Box = { ring: Position[]; west: number; east: number; south: number; north: number }

function boxesOf(area: Area): Box[][] {
  const { geometry } = area
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.map((rings) =>
    rings.map((ring) => {
      const [lons, lats] = [ring.map(([lon = 0]) => lon), ring.map(([, lat = 0]) => lat)]
      return {
        ring,
        west: Math.min(...lons),
        east: Math.max(...lons),
        south: Math.min(...lats),
        north: Math.max(...lats),
      }
    }),
  )
}

function contains(polygons: Box[][], [lat, lon]: LatLon): boolean {
  return polygons.some((rings) => rings.filter((box) => isInRing(box, lat, lon)).length % 2 === 1)
}

function isInRing({ ring, west, east, south, north }: Box, lat: number, lon: number): boolean {
  if (lon < west || lon > east || lat < south || lat > north) return false
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi = 0, yi = 0] = ring[i] ?? []
    const [xj = 0, yj = 0] = ring[j] ?? []
    if (yi > lat !== yj > lat && lon < ((xj - xi) * (lat - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

const countries = layerOf(require('world-atlas/countries-10m.json'), 'countries')
// Rings that were cut at the date line (Fiji, Chukotka, Antarctica) run across the whole map; none is near our waters.
const land = layerOf(require('world-atlas/land-10m.json'), 'land')
  .flatMap(boxesOf)
  .filter((rings) => rings.every((box) => box.east - box.west < 300))

/** Whether a place is in the country with this English name. */
export function isInCountry(name: string): (place: LatLon) => boolean {
  const country = countries.find((entry) => entry.properties?.name === name)
  if (!country) throw new Error(`no country ${name}`)
  const polygons = boxesOf(country)
  return (place) => contains(polygons, place)
}

export const isLand = (place: LatLon): boolean => contains(land, place)
