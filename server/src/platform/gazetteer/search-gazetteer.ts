import type { FoundPlace, LatLon } from '@isotherm/contract/places.ts'
import { countryCodes } from './country-names.ts'
import { foldName } from './fold-name.ts'
import type { Gazetteer } from './gazetteer.ts'

interface Options {
  locale?: string
  /** Whether a place is near to what the person has to do with; default: all are. */
  isNear?(place: LatLon): boolean
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
  { folded, starts, countries, lat, lon }: Gazetteer,
  wanted: string,
  country: string | undefined,
  isNear: (place: LatLon) => boolean,
): number[] {
  const found = new Map<number, number>()
  for (const before of ['\n', '|', ' ']) {
    const needle = before + wanted
    for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + 1)) {
      const i = lineOf(starts, at + 1)
      if (country && !countries.startsWith(country, i * 2)) continue
      const isWhole = '\n|'.includes(folded[at + needle.length] ?? '')
      const rank = before === ' ' ? ranks.word : isWhole ? ranks.name : ranks.beginning
      const far = isNear({ lat: lat[i] ?? 0, lon: lon[i] ?? 0 }) ? 0 : ranks.far
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

const placeAt = ({ names, countries, populations, lat, lon }: Gazetteer, i: number): FoundPlace => ({
  name: names[i] ?? '',
  country: countries.slice(i * 2, i * 2 + 2),
  lat: Math.round((lat[i] ?? 0) * 1e5) / 1e5,
  lon: Math.round((lon[i] ?? 0) * 1e5) / 1e5,
  population: populations[i] ?? null,
})
