import { cellOf, countryAt, lineAt, type Towns } from './columns.ts'
import { degreesOf, flatKm, squeezeAt } from './flat-km.ts'
import { loadKept } from './gazetteer.ts'

const farthestKm = 60

let towns: Towns | undefined
let loading: Promise<void> | undefined

/** Reads the towns that lend positions their names. */
export function loadTowns(): Promise<void> {
  loading ??= loadKept().then(
    (kept) => {
      towns = kept.towns
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
