import type { TileSource } from '@isotherm/contract/basemap.ts'
import type { MapType } from '@isotherm/contract/company.ts'

/** The online source that draws a type of map. Hybrid can be made of satellite pictures and our own names. */
export function sourceFor(mapType: MapType, sources: readonly TileSource[]): TileSource | undefined {
  const own = sources.find((source) => source.kind === mapType)
  return own ?? (mapType === 'hybrid' ? sources.find((source) => source.kind === 'satellite') : undefined)
}

/** Whether a kind of map can be chosen. The road map always can: without a source of its own it is the offline map. */
export const isSetUp = (mapType: MapType, sources: readonly TileSource[]): boolean =>
  mapType === 'roadmap' || sourceFor(mapType, sources) !== undefined
