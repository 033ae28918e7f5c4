import { installCacheDir } from '../files/install-cache.ts'
import type { Gazetteer, KeptTowns } from './columns.ts'
import { keptTowns } from './kept-towns.ts'

let loading: Promise<KeptTowns> | undefined

/** Reads the towns once. */
export function loadKept(): Promise<KeptTowns> {
  loading ??= keptTowns(installCacheDir)
  // The next call tries again.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

export const loadGazetteer = async (): Promise<Gazetteer> => (await loadKept()).gazetteer
