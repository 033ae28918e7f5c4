import type { FoundPlace, LatLon } from '@isotherm/contract/places.ts'
import { countryAt, type Gazetteer, lineAt } from './columns.ts'
import { countryCodes } from './country-names.ts'
import { degreesOf, flatKm, squeezeAt } from './flat-km.ts'
import { foldName } from './fold-name.ts'

interface Options {
  locale?: string
  /** Whether a place, of the country with this code, is near to what the person has to do with; default: all are. */
  isNear?(place: LatLon, country: string): boolean
}

/**
 * The places of that very name, then those whose name begins with `text`, then those in which a later word does. Of each of these, those
 * that are near come first, then the larger ones. Case and accents do not matter. "Lagos, NG" and "lagos nigeria" look in one
 * country, by its name in `locale` or in English.
 */
export function searchGazetteer(
  gazetteer: Gazetteer,
  text: string,
  most: number,
  { locale = 'en', isNear = () => true }: Options = {},
): FoundPlace[] {
  const wanted = foldName(text)
  if (!wanted) return []
  const found = search(gazetteer, wanted, undefined, isNear)
  const there = inCountries(wanted, locale).flatMap(({ name, code }) => search(gazetteer, name, code, isNear))
  return [...new Set([...found, ...there])].slice(0, most).map((i) => placeAt(gazetteer, i))
}

/** 'dar es salaam tanzania' -> 'dar es salaam' in TZ: wherever what comes last is a country's code or name. */
function inCountries(wanted: string, locale: string): { name: string; code: string }[] {
  const words = wanted.split(' ')
  return words.slice(1).flatMap((_, i) => {
    const last = words.slice(i + 1).join(' ')
    const code = /^[a-z]{2}$/.test(last) ? last.toUpperCase() : countryCodes(locale).get(last)
    return code ? [{ name: words.slice(0, i + 1).join(' '), code }] : []
  })
}

/** Lower is better: the name itself, its beginning, a later word; behind each of them what is far away. */
const ranks = { name: 0, beginning: 2, word: 4, far: 1 }

/** The numbers of the towns, the best first; the gazetteer has the largest first. */
function search(
  { folded: { text, starts }, countries, lat, lon }: Gazetteer,
  wanted: string,
  country: string | undefined,
  isNear: (place: LatLon, country: string) => boolean,
): number[] {
  const found = new Map<number, number>()
  for (const before of ['\n', '|', ' ']) {
    const needle = before + wanted
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      const i = lineOf(starts, at + 1)
      if (country && !countries.startsWith(country, i * 2)) continue
      const isWhole = '\n|'.includes(text[at + needle.length] ?? '')
      const rank = before === ' ' ? ranks.word : isWhole ? ranks.name : ranks.beginning
      const far = isNear({ lat: lat[i] ?? 0, lon: lon[i] ?? 0 }, countryAt(countries, i)) ? 0 : ranks.far
      found.set(i, Math.min(found.get(i) ?? Number.POSITIVE_INFINITY, rank + far))
    }
  }
  return [...found].sort(([i, one], [j, other]) => one - other || i - j).map(([i]) => i)
}

/** The largest town of a country, by its code; undefined where none is known. */
export function largestTown({ countries, lat, lon }: Gazetteer, country: string): LatLon | undefined {
  for (let i = 0; i * 2 < countries.length; i++)
    if (countries.startsWith(country, i * 2)) return { lat: lat[i] ?? 0, lon: lon[i] ?? 0 }
  return undefined
}

/** Which line a place in the text belongs to. */
function lineOf(starts: Uint32Array, at: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

const nearKm = 60

/** The largest town near the one at `i`, of those that are larger. */
function largerNear({ names, lat: lats, lon: lons }: Gazetteer, i: number): string | null {
  const [lat, lon] = [lats[i] ?? 0, lons[i] ?? 0]
  const squeeze = squeezeAt(lat)
  for (let other = 0; other < i; other++) {
    const otherLat = lats[other] ?? 0
    // Most towns are far to the north or south, which costs less to find out.
    if (Math.abs(otherLat - lat) > degreesOf(nearKm)) continue
    if (flatKm(squeeze, lat, lon, otherLat, lons[other] ?? 0) < nearKm) return lineAt(names, other)
  }
  return null
}

const placeAt = (gazetteer: Gazetteer, i: number): FoundPlace => ({
  name: lineAt(gazetteer.names, i),
  country: countryAt(gazetteer.countries, i),
  near: largerNear(gazetteer, i),
  lat: Math.round((gazetteer.lat[i] ?? 0) * 1e5) / 1e5,
  lon: Math.round((gazetteer.lon[i] ?? 0) * 1e5) / 1e5,
  population: gazetteer.populations[i] ?? null,
})
