import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Polygon } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { acrossDateLine } from './date-line.ts'

export type Atlas = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>

export type Country = Feature<Polygon | MultiPolygon, { name: string }>

const require = createRequire(import.meta.url)

/** Without a recognised ISO code; their limits are drawn as disputed. Western Sahara has a code but no agreed border. */
const DISPUTED = new Set([
  'W. Sahara',
  'Somaliland',
  'Kosovo',
  'N. Cyprus',
  'Siachen Glacier',
  'Cyprus U.N. Buffer Zone',
])

/** Reads a JSON file of an installed package. */
export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(require.resolve(file), 'utf8'))
}

export function readAtlas(scale: '50m' | '10m'): Atlas {
  return readJson(`world-atlas/countries-${scale}.json`)
}

export function landOf(atlas: Atlas): FeatureCollection {
  const { features } = feature(atlas, atlas.objects.land)
  return {
    type: 'FeatureCollection',
    features: features.map((part) => ({ ...part, geometry: acrossDateLine(part.geometry) })),
  }
}

export function countriesOf(atlas: Atlas): Country[] {
  return feature(atlas, atlas.objects.countries).features as Country[]
}

/** Borders between countries (coasts are the edge of the land), apart by whether both sides agree on them. */
export function bordersOf(atlas: Atlas): FeatureCollection<MultiLineString, { disputed: boolean }> {
  const lines = (disputed: boolean) =>
    mesh(atlas, atlas.objects.countries as GeometryCollection<{ name: string }>, (a, b) => {
      return a !== b && (isDisputed(a) || isDisputed(b)) === disputed
    })
  return {
    type: 'FeatureCollection',
    features: [false, true].map((disputed) => ({
      type: 'Feature',
      properties: { disputed },
      geometry: acrossDateLine(lines(disputed)),
    })),
  }
}

function isDisputed(country: { properties?: unknown }): boolean {
  return DISPUTED.has((country.properties as { name: string }).name)
}
