import type { MapSources, TileSource } from '@isotherm/contract/basemap.ts'
import type { MapType } from '@isotherm/contract/company.ts'
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { BASEMAP, groundLayers, limitLayers } from './base-layers.ts'
import { sourceFor } from './kinds.ts'
import { labelLayers, SEAS } from './label-layers.ts'
import { type MapTheme, type Palette, palettes } from './palette.ts'
import { type SeaName, seaPoints } from './seas.ts'
import { STREETS, streetLayers, streetNames } from './street-layers.ts'

export const ONLINE = 'online'

/** Beyond these, providers rarely have tiles; the last ones are stretched. */
const LAST_ZOOM: Record<MapType, number> = { roadmap: 18, satellite: 17, hybrid: 17, terrain: 12 }

/** From here on coasts of the offline map are too coarse to be drawn over streets. */
const COARSE_UNTIL = 9

const OWN_ATTRIBUTION =
  '<a href="https://www.naturalearthdata.com" target="_blank" rel="noreferrer">Natural Earth</a> · ' +
  '<a href="https://www.geonames.org" target="_blank" rel="noreferrer">GeoNames</a> (CC BY 4.0)'

const STREETS_ATTRIBUTION =
  '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap</a> · ' +
  '<a href="https://protomaps.com" target="_blank" rel="noreferrer">Protomaps</a>'

type StyleInput = {
  theme: MapTheme
  language: string
  mapType: MapType
  sources: MapSources
  nameOfSea: (sea: SeaName) => string
}

/**
 * The whole map under the markers: the offline land first, the chosen online tiles above it, so that the land shows
 * through wherever they are missing; names on top where the pictures have none of their own. Without `glyphs` the
 * letters are drawn in the browser from the page's own typeface.
 */
export function mapStyle({ theme, language, mapType, sources, nameOfSea }: StyleInput): StyleSpecification {
  const palette = palettes[theme]
  const online = sourceFor(mapType, sources.sources)
  const overPictures = mapType === 'hybrid' && online !== undefined
  const streets = mapType === 'roadmap' ? sources.streets : null
  const names = labelLayers({ theme, language, overPictures })
  // Close by, the streets' own coast is the better one.
  const limits = limitLayers(palette, overPictures).map((layer) =>
    streets && !layer.id.startsWith('border') ? { ...layer, maxzoom: COARSE_UNTIL } : layer,
  )
  const offline = sources.basemap ? { ground: groundLayers(palette), limits, names } : nothing
  const namesAbove = mapType === 'terrain' || mapType === 'hybrid'
  const picture = online ? [onlineLayer(online, palette)] : []
  return {
    version: 8,
    sources: {
      ...(sources.basemap && { [BASEMAP]: vectorSource(sources.basemap, OWN_ATTRIBUTION) }),
      ...(streets && { [STREETS]: vectorSource(streets, STREETS_ATTRIBUTION) }),
      ...(online && { [ONLINE]: onlineSource(online) }),
      [SEAS]: { type: 'geojson', data: seaPoints(nameOfSea) },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
      ...offline.ground,
      ...(streets ? streetLayers(palette) : []),
      ...(namesAbove ? picture : []),
      ...offline.limits,
      ...(streets ? [streetNames(palette)] : []),
      ...offline.names,
      ...(namesAbove ? [] : picture),
    ],
  }
}

const nothing: Record<'ground' | 'limits' | 'names', LayerSpecification[]> = { ground: [], limits: [], names: [] }

/** Vector tiles of our own server. */
function vectorSource(
  { url, minZoom = 0, maxZoom }: { url: string; minZoom?: number; maxZoom: number },
  attribution: string,
): SourceSpecification {
  // The worker that fetches tiles has no page to resolve a path against.
  const tiles = [new URL(url, window.location.href).href.replaceAll('%7B', '{').replaceAll('%7D', '}')]
  return { type: 'vector', tiles, minzoom: minZoom, maxzoom: maxZoom, attribution }
}

function onlineSource({ kind, url, attribution }: TileSource): SourceSpecification {
  const common = { tiles: [url], attribution, maxzoom: LAST_ZOOM[kind], tileSize: 256 }
  return kind === 'terrain' ? { type: 'raster-dem', encoding: 'terrarium', ...common } : { type: 'raster', ...common }
}

function onlineLayer(source: TileSource, palette: Palette): LayerSpecification {
  if (source.kind !== 'terrain')
    return { id: ONLINE, type: 'raster', source: ONLINE, paint: { 'raster-fade-duration': 150 } }
  return {
    id: ONLINE,
    type: 'hillshade',
    source: ONLINE,
    paint: {
      'hillshade-exaggeration': 0.5,
      'hillshade-shadow-color': palette.relief.shadow,
      'hillshade-highlight-color': palette.relief.highlight,
      'hillshade-accent-color': palette.relief.shadow,
    },
  }
}
