import { installCacheDir } from '../files/install-cache.ts'
import { keptTowns, type Read } from './kept-towns.ts'

/** Towns as columns, the largest first; 130,000 of them in 7 MB. */
export interface Gazetteer {
  /** '\nlagos\nkinshasa|kinshasa alt\n...': a line each, names folded, an alternative behind '|'. */
  folded: string
  /** Where each line begins. */
  starts: Uint32Array
  names: string[]
  countries: string
  populations: Uint32Array
  lat: Float32Array
  lon: Float32Array
}

export function gazetteerOf(read: Read): Gazetteer {
  const folded = `\n${read.folded}\n`
  const names = read.names.split('\n')
  const starts = new Uint32Array(names.length)
  for (let i = 0, from = 1; i < names.length; i++) {
    starts[i] = from
    from = folded.indexOf('\n', from) + 1
  }
  return {
    folded,
    starts,
    names,
    countries: read.countries,
    populations: Uint32Array.from(read.populations),
    lat: Float32Array.from(read.lat),
    lon: Float32Array.from(read.lon),
  }
}

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
