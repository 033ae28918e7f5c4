import { degreesOf, flatKm, squeezeAt } from './flat-km.ts'
import { countryAt, type Gazetteer, type Lines, lineAt, loadGazetteer } from './gazetteer.ts'

/** Towns as columns, ascending by `cell`: one square degree, counted from the south-west corner of the world. */
export interface Towns {
  cell: Uint32Array
  lat: Float32Array
  lon: Float32Array
  /** ISO 3166-1 alpha-2, two letters each. */
  countries: string
  /** Their lines in `names`, which has all towns of the gazetteer. */
  lines: Uint32Array
  names: Lines
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
  return towns ? nearestCountry(towns, lat, lon) : null
}

/** Towns with their countries alone, for a thread of its own. */
export type TownCountries = Pick<Towns, 'cell' | 'lat' | 'lon' | 'countries'>

/** Null where the towns cannot be read. */
export async function townCountries(): Promise<TownCountries | null> {
  await loadTowns()
  return towns ? { cell: towns.cell, lat: towns.lat, lon: towns.lon, countries: towns.countries } : null
}

/** `nearestTownCountry` of a thread that was told of the towns. */
export function countryAmong(all: TownCountries | null): typeof nearestTownCountry {
  return all ? (lat, lon) => nearestCountry(all, lat, lon) : () => null
}

function nearestCountry(all: TownCountries, lat: number, lon: number): string | null {
  const index = nearestIndex(all, lat, lon)
  return index < 0 ? null : countryAt(all.countries, index)
}

export function townsOf({
  names,
  lat,
  lon,
  populations,
  countries,
}: Pick<Gazetteer, 'names' | 'lat' | 'lon' | 'populations' | 'countries'>): Towns {
  const cell = Uint32Array.from(populations, (_, i) => cellOf(lat[i] ?? 0, lon[i] ?? 0))
  const order = [...populations.keys()]
    .filter((i) => (populations[i] ?? 0) >= smallest)
    .sort((a, b) => (cell[a] ?? 0) - (cell[b] ?? 0))
  return {
    cell: Uint32Array.from(order, (i) => cell[i] ?? 0),
    lat: Float32Array.from(order, (i) => lat[i] ?? 0),
    lon: Float32Array.from(order, (i) => lon[i] ?? 0),
    countries: order.map((i) => countryAt(countries, i)).join(''),
    lines: Uint32Array.from(order),
    names,
  }
}

const cellOf = (lat: number, lon: number): number =>
  Math.min(Math.floor(lat + 90), 179) * 360 + (((Math.floor(lon + 180) % 360) + 360) % 360)

export function nearest(all: Towns, lat: number, lon: number): string | null {
  const index = nearestIndex(all, lat, lon)
  return index < 0 ? null : lineAt(all.names, all.lines[index] ?? 0)
}

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
