import { installCacheDir } from '../files/install-cache.ts'
import { keptTowns, type Read } from './kept-towns.ts'

/** Lines of one text: as strings of their own they would take three times the memory. */
export interface Lines {
  text: string
  /** Where each line begins. */
  starts: Uint32Array
}

/** Towns as columns, the largest first; 130,000 of them in 9 MB. */
export interface Gazetteer {
  /** 'lagos\nkinshasa|kinshasa alt\n...' between line ends: names folded, an alternative behind '|'. */
  folded: Lines
  names: Lines
  /** ISO 3166-1 alpha-2, two letters each. */
  countries: string
  populations: Uint32Array
  lat: Float32Array
  lon: Float32Array
}

/** So many lines of a text, with a line end before the first and after the last. */
function linesOf(joined: string, count: number): Lines {
  const text = `\n${joined}\n`
  const starts = new Uint32Array(count)
  for (let i = 0, from = 1; i < count; i++) {
    starts[i] = from
    from = text.indexOf('\n', from) + 1
  }
  return { text, starts }
}

/** A line of those; '' where there is none. */
export function lineAt({ text, starts }: Lines, i: number): string {
  const start = starts[i]
  return start === undefined ? '' : text.slice(start, text.indexOf('\n', start))
}

/** The country of a town, by its letters. */
export const countryAt = (countries: string, i: number): string => countries.slice(2 * i, 2 * i + 2)

export const gazetteerOf = (read: Read): Gazetteer => ({
  folded: linesOf(read.folded, read.populations.length),
  names: linesOf(read.names, read.populations.length),
  countries: read.countries,
  populations: Uint32Array.from(read.populations),
  lat: Float32Array.from(read.lat),
  lon: Float32Array.from(read.lon),
})

let loading: Promise<Gazetteer> | undefined

/** Reads the towns once. */
export function loadGazetteer(): Promise<Gazetteer> {
  loading ??= keptTowns(installCacheDir).then(gazetteerOf)
  // The next call tries again.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}
