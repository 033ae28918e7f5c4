import { degreesOf, flatKm, squeezeAt } from './flat-km.ts'
import { type Gazetteer, loadGazetteer } from './gazetteer.ts'

/** Towns as columns, ascending by `cell`: one square degree, counted from the south-west corner of the world. */
export interface Towns {
  cell: Uint32Array
  lat: Float32Array
  lon: Float32Array
  names: string[]
  /** ISO 3166-1 alpha-2. */
  countries: string[]
}

const smallest = 5_000
const farthestKm = 60

let towns: Towns | undefined
let loading: Promise<void> | undefined

/** Reads the towns that lend positions their names. */
export function loadTowns(): Promise<void> {
  loading ??= loadGazetteer().then(
    (gazetteer) => {
      towns = townsOf(gazetteer)
    },
    // Without towns positions have no names, which is all that is lost.
    () => {},
  )
  return loading
}

/** The name of the nearest town within 60 km, or null; null as well until the towns have been read, which the first call starts. */
export function nearestTownName(lat: number, lon: number): string | null {
  if (!towns) {
    void loadTowns()
    return null
  }
  return nearest(towns, lat, lon)
}

/** The country of the nearest town within 60 km, or null; null as well until the towns have been read. */
export function nearestTownCountry(lat: number, lon: number): string | null {
  void loadTowns()
  return towns ? (towns.countries[nearestIndex(towns, lat, lon)] ?? null) : null
}

/** The countries of the towns, for a thread of its own: two letters each. */
export interface TownCountries extends Pick<Towns, 'cell' | 'lat' | 'lon'> {
  countries: string
}

/** Null where the towns cannot be read. */
export async function townCountries(): Promise<TownCountries | null> {
  await loadTowns()
  return towns ? { cell: towns.cell, lat: towns.lat, lon: towns.lon, countries: towns.countries.join('') } : null
}

/** `nearestTownCountry` of a thread that was told of the towns. */
export function countryAmong(all: TownCountries | null): typeof nearestTownCountry {
  if (!all) return () => null
  return (lat, lon) => {
    const index = nearestIndex(all, lat, lon)
    return index < 0 ? null : all.countries.slice(2 * index, 2 * index + 2)
  }
}

export function townsOf({
  names,
  lat,
  lon,
  populations,
  countries,
}: Pick<Gazetteer, 'names' | 'lat' | 'lon' | 'populations' | 'countries'>): Towns {
  const cell = Uint32Array.from(names, (_, i) => cellOf(lat[i] ?? 0, lon[i] ?? 0))
  const order = [...names.keys()]
    .filter((i) => (populations[i] ?? 0) >= smallest)
    .sort((a, b) => (cell[a] ?? 0) - (cell[b] ?? 0))
  return {
    cell: Uint32Array.from(order, (i) => cell[i] ?? 0),
    lat: Float32Array.from(order, (i) => lat[i] ?? 0),
    lon: Float32Array.from(order, (i) => lon[i] ?? 0),
    names: order.map((i) => names[i] ?? ''),
    countries: order.map((i) => countries.slice(2 * i, 2 * i + 2)),
  }
}

const cellOf = (lat: number, lon: number): number =>
  Math.min(Math.floor(lat + 90), 179) * 360 + (((Math.floor(lon + 180) % 360) + 360) % 360)

export const nearest = (all: Towns, lat: number, lon: number): string | null =>
  all.names[nearestIndex(all, lat, lon)] ?? null

function nearestIndex(all: Pick<Towns, 'cell' | 'lat' | 'lon'>, lat: number, lon: number): number {
  const squeeze = squeezeAt(lat)
  // Meridians converge: a degree of longitude may be shorter than the reach.
  const reach = Math.min(180, Math.max(1, Math.ceil(degreesOf(farthestKm) / Math.max(squeeze, 0.003))))
  let best = -1
  let bestKm = farthestKm
  for (let row = -1; row <= 1; row++) {
    if (lat + row < -90 || lat + row >= 90) continue
    for (let column = -reach; column <= reach; column++) {
      const cell = cellOf(lat + row, lon + column)
      for (let i = firstOf(all.cell, cell); all.cell[i] === cell; i++) {
        const km = flatKm(squeeze, lat, lon, all.lat[i] ?? 0, all.lon[i] ?? 0)
        if (km < bestKm) {
          best = i
          bestKm = km
        }
      }
    }
  }
  return best
}

/** Index of the first entry not below `cell`. */
function firstOf(cells: Uint32Array, cell: number): number {
  let low = 0
  let high = cells.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cells[middle] ?? 0) < cell) low = middle + 1
    else high = middle
  }
  return low
}
