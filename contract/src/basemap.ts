import { z } from 'zod'

/** The kinds of map a person can choose; `terrain` is a relief shading, `hybrid` satellite images with names. */
export const MapType = z.enum(['roadmap', 'satellite', 'terrain', 'hybrid'])
export type MapType = z.infer<typeof MapType>

/** Where one kind of map is fetched from, by the browser itself. Only configured sources exist; none ships. */
export const TileSource = z.object({
  type: MapType,
  /** An address with {z}, {x} and {y}. For `terrain` it serves elevation, not pictures. */
  url: z.string().regex(/^https?:\/\/.*\{z\}.*$/, 'must be an address with {z}, {x} and {y}'),
  attribution: z.string().min(1),
  maxZoom: z.number().int().min(1).max(22).default(19),
  tileSizePx: z.union([z.literal(256), z.literal(512)]).default(256),
  /** How `terrain` tiles write elevation into colours. */
  encoding: z.enum(['terrarium', 'mapbox']).default('terrarium'),
})
export type TileSource = z.infer<typeof TileSource>

/** What GET /tiles/sources answers. `basemap` is null for the few seconds in which its tiles are first made. */
export const MapSources = z.object({
  basemap: z.object({ url: z.string(), maxZoom: z.number().int() }).nullable(),
  sources: z.array(TileSource),
})
export type MapSources = z.infer<typeof MapSources>
