import type { FoundPlace } from '@isotherm/contract/places.ts'
import { countryCodes } from './country-names.ts'
import { foldName } from './fold-name.ts'
import type { Gazetteer } from './gazetteer.ts'

/**
 * The largest places whose name begins with `text`, then those in which a later word does; case and accents do not
 * matter. "Lagos, NG" and "lagos nigeria" look in one country, by its name in `locale` or in English.
 */
export function searchGazetteer(gazetteer: Gazetteer, text: string, most: number, locale = 'en'): FoundPlace[] {
  const wanted = foldName(text)
  if (!wanted) return []
  const found = search(gazetteer, wanted, undefined, most)
  const there = inCountries(wanted, locale).flatMap(({ name, code }) => [...search(gazetteer, name, code, most)])
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

function search(gazetteer: Gazetteer, wanted: string, country: string | undefined, most: number): Set<number> {
  const found = new Set<number>()
  for (const before of ['\n', '|', ' ']) {
    const needle = before + wanted
    for (let at = gazetteer.folded.indexOf(needle); at >= 0; at = gazetteer.folded.indexOf(needle, at + 1)) {
      if (found.size >= most) return found
      const i = lineOf(gazetteer.starts, at + 1)
      if (!country || gazetteer.countries.startsWith(country, i * 2)) found.add(i)
    }
  }
  return found
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
