import { toUnitSquare } from '../tile-maths.ts'

/** A populated place of GeoNames. */
export type City = { name: string; lon: number; lat: number; population: number; featureCode: string }

/** `minZoom`: the zoom at which the place is first shown. `rank`: 0 is the most important place. */
export type RankedCity = City & { minZoom: number; rank: number; x: number; y: number }

/** Places shown at no zoom below this one are all shown from here on. */
export const LAST_CITY_ZOOM = 11

const FIRST_CITY_ZOOM = 3
const TILE_PX = 512

/** Smallest weighted population shown at each zoom, and the room in pixels kept around each place. */
const STEPS: Record<number, { population: number; spacingPx: number }> = {
  3: { population: 3_000_000, spacingPx: 70 },
  4: { population: 600_000, spacingPx: 60 },
  5: { population: 120_000, spacingPx: 50 },
  6: { population: 30_000, spacingPx: 46 },
  7: { population: 10_000, spacingPx: 44 },
  8: { population: 3_000, spacingPx: 42 },
  9: { population: 1_000, spacingPx: 40 },
  10: { population: 0, spacingPx: 40 },
}

/** A place this many times larger than the least may stand closer to others: Johannesburg to Pretoria. */
const IMPORTANT = 8
const IMPORTANT_SPACING = 0.4

/** Parts of a larger place, and places that no longer exist, would only repeat or mislead. */
const LEFT_OUT = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

/** Capitals and seats of provinces matter more to people than their size says. */
const WEIGHTS: Record<string, number> = { PPLC: 3, PPLA: 1.5 }

function weightOf(city: City): number {
  return city.population * (WEIGHTS[city.featureCode] ?? 1)
}

/**
 * Decides at which zoom each place appears: the larger first, and only where no place already shown stands closer than
 * the spacing of that zoom. This keeps crowded countries legible and lets small towns speak in empty ones.
 */
export function rankCities(cities: readonly City[]): RankedCity[] {
  const sorted = cities.filter((city) => !LEFT_OUT.has(city.featureCode)).sort((a, b) => weightOf(b) - weightOf(a))
  const grids = new Map<number, Map<string, RankedCity[]>>()
  const ranked: RankedCity[] = []
  for (const city of sorted) {
    const [x, y] = toUnitSquare(city.lon, city.lat)
    const candidate: RankedCity = { ...city, x, y, minZoom: LAST_CITY_ZOOM, rank: ranked.length }
    for (let zoom = FIRST_CITY_ZOOM; zoom < LAST_CITY_ZOOM; zoom++) {
      if (fits(candidate, zoom, grids)) {
        candidate.minZoom = zoom
        break
      }
    }
    for (let zoom = candidate.minZoom; zoom < LAST_CITY_ZOOM; zoom++) place(candidate, zoom, grids)
    ranked.push(candidate)
  }
  return ranked
}

type Grids = Map<number, Map<string, RankedCity[]>>

function cellOf(city: RankedCity, zoom: number): [number, number, number] {
  const cells = (TILE_PX * 2 ** zoom) / spacingOf(zoom)
  return [Math.floor(city.x * cells), Math.floor(city.y * cells), cells]
}

function spacingOf(zoom: number): number {
  return STEPS[zoom]?.spacingPx ?? 0
}

function fits(city: RankedCity, zoom: number, grids: Grids): boolean {
  const least = STEPS[zoom]?.population ?? 0
  if (weightOf(city) < least) return false
  const room = weightOf(city) > IMPORTANT * least ? IMPORTANT_SPACING : 1
  const grid = grids.get(zoom)
  if (!grid) return true
  const [column, row, cells] = cellOf(city, zoom)
  for (let dx = -1; dx <= 1; dx++) {
    for (let dy = -1; dy <= 1; dy++) {
      const neighbours = grid.get(`${column + dx}/${row + dy}`) ?? []
      if (neighbours.some((other) => Math.hypot(other.x - city.x, other.y - city.y) * cells < room)) return false
    }
  }
  return true
}

function place(city: RankedCity, zoom: number, grids: Grids): void {
  const grid = grids.get(zoom) ?? new Map<string, RankedCity[]>()
  grids.set(zoom, grid)
  const [column, row] = cellOf(city, zoom)
  const key = `${column}/${row}`
  grid.set(key, [...(grid.get(key) ?? []), city])
}
