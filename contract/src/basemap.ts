import { z } from 'zod'
import { MapType } from './company.ts'

/** Where one kind of map is fetched from, by the browser itself. `terrain` tiles are elevations, in terrarium encoding. */
export const TileSource = z.object({ kind: MapType, url: z.string(), attribution: z.string() })
export type TileSource = z.infer<typeof TileSource>

/** The answer of GET /tiles/sources. `basemap` is null for the few seconds in which its tiles are first made. */
export const MapSources = z.object({
  basemap: z.object({ url: z.string(), maxZoom: z.number().int() }).nullable(),
  /** Vector tiles of streets in the layers of Protomaps, version 4; null where the operator has put none here. */
  streets: z.object({ url: z.string(), minZoom: z.number().int(), maxZoom: z.number().int() }).nullable(),
  sources: z.array(TileSource),
})
export type MapSources = z.infer<typeof MapSources>
