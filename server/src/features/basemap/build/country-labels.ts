import type { Polygon, Position } from 'geojson'
import type { Country } from './data.ts'
import { labelPoint } from './label-point.ts'

/** A country's name is chosen in the browser, by its ISO 3166-1 alpha-2 code. */
export type CountryLabel = { iso: string; x: number; y: number; minZoom: number; rank: number }

/** Width in pixels a country needs before its name can be read on it. */
const LEGIBLE_PX = 44
const TILE_PX = 512
const LAST_LABEL_ZOOM = 7

/** Label points in the unit square, the largest countries first. Places without an ISO code get none. */
export function countryLabels(countries: readonly Country[]): CountryLabel[] {
  return countries
    .flatMap((country) => {
      const iso = isoCode(country)
      return iso ? [{ iso, ...labelPoint(largestPolygon(country)) }] : []
    })
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .map(({ iso, x, y, width, height }, rank) => ({ iso, x, y, rank, minZoom: firstZoom(width, height) }))
}

/** Unicode maps the UN's numeric region codes to the two letters that Intl.DisplayNames knows ("404" is "KE"). */
export function isoCode(country: Country): string | undefined {
  if (country.properties.name === 'Kosovo') return 'XK'
  const numeric = country.id === undefined ? undefined : String(country.id).padStart(3, '0')
  const region = numeric && new Intl.Locale(`und-${numeric}`).region
  return region && /^[A-Z]{2}$/.test(region) ? region : undefined
}

function firstZoom(width: number, height: number): number {
  const size = Math.sqrt(width * height) * 0.5 + Math.max(width, height) * 0.5
  const zoom = Math.ceil(Math.log2(LEGIBLE_PX / (size * TILE_PX)))
  return Math.min(Math.max(zoom, 1), LAST_LABEL_ZOOM)
}

function largestPolygon(country: Country): [number, number][][] {
  const polygons: Polygon['coordinates'][] =
    country.geometry.type === 'Polygon' ? [country.geometry.coordinates] : country.geometry.coordinates
  const [largest = []] = [...polygons].sort((a, b) => ringArea(b[0] ?? []) - ringArea(a[0] ?? []))
  return largest.map((ring) => ring.map(([lon = 0, lat = 0]) => [lon, lat]))
}

function ringArea(ring: readonly Position[]): number {
  let twice = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? []
    const [bx = 0, by = 0] = ring[i] ?? []
    twice += ax * by - bx * ay
  }
  return Math.abs(twice / 2)
}
