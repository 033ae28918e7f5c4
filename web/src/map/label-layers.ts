import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { BASEMAP } from './base-layers.ts'
import { placeImage } from './marker-images.ts'
import { type MapTheme, type Palette, palettes } from './palette.ts'

export const SEAS = 'seas'

/** The weight is read from the first name; the typeface itself is the page's own Inter, drawn in the browser. */
export const fonts = {
  regular: ['Inter'],
  medium: ['Inter Medium', 'Inter'],
  semibold: ['Inter SemiBold', 'Inter'],
  italic: ['Inter Italic', 'Inter'],
}

/** Names of countries in the reader's language, as a lookup by ISO code; the code itself where there is none. */
export function countryNames(language: string): ExpressionSpecification {
  const names = new Intl.DisplayNames([language, 'en'], { type: 'region', fallback: 'none' })
  const pairs = isoCodes().flatMap((iso) => {
    const name = names.of(iso)
    return name ? [iso, name] : []
  })
  return ['match', ['get', 'iso'], ...pairs, ['get', 'iso']] as unknown as ExpressionSpecification
}

/** Every pair of letters that names a region today, found by asking: the browser knows which they are. */
function isoCodes(): string[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
  return letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
}

type LabelLook = { theme: MapTheme; language: string; overPictures: boolean }

/** Names of seas, countries and cities, the least important first: what is later in the list is placed first. */
export function labelLayers({ theme, language, overPictures }: LabelLook): LayerSpecification[] {
  const palette = palettes[theme]
  const halo = overPictures ? 'rgba(10, 16, 22, 0.75)' : palette.halo
  const ink = (colour: string) => (overPictures ? '#ffffff' : colour)
  const haloed = (colour: string) => ({ 'text-color': ink(colour), 'text-halo-color': halo, 'text-halo-width': 1.2 })
  return [
    ...(overPictures ? [] : [seaLayer(palette)]),
    {
      id: 'city',
      type: 'symbol',
      source: BASEMAP,
      'source-layer': 'city',
      filter: ['<=', ['get', 'minzoom'], ['zoom']],
      layout: {
        'icon-image': ['case', ['get', 'capital'], placeImage('capital', theme), placeImage('city', theme)],
        'icon-size': ['interpolate', ['linear'], ['zoom'], 3, 0.8, 8, 1.1],
        'symbol-sort-key': ['get', 'rank'],
        'text-field': ['get', 'name'],
        'text-font': ['case', ['<', ['get', 'rank'], 700], ['literal', fonts.medium], ['literal', fonts.regular]],
        'text-size': cityTextSize(),
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 0.4,
        'text-justify': 'auto',
        'text-max-width': 8,
        'text-padding': 6,
      },
      paint: haloed(palette.city),
    },
    {
      id: 'country',
      type: 'symbol',
      source: BASEMAP,
      'source-layer': 'country',
      maxzoom: 8,
      layout: {
        'symbol-sort-key': ['get', 'rank'],
        'text-field': countryNames(language),
        'text-font': fonts.semibold,
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          1,
          10,
          4,
          ['case', ['<', ['get', 'rank'], 60], 13, 11],
          7,
          16,
        ],
        'text-letter-spacing': 0.06,
        'text-max-width': 7,
        'text-padding': 4,
      },
      paint: { ...haloed(palette.country), 'text-opacity': ['interpolate', ['linear'], ['zoom'], 6.5, 1, 8, 0] },
    },
  ]
}

function cityTextSize(): ExpressionSpecification {
  const byRank = (large: number, middle: number, small: number): ExpressionSpecification => [
    'step',
    ['get', 'rank'],
    large,
    300,
    middle,
    3000,
    small,
  ]
  return ['interpolate', ['linear'], ['zoom'], 3, byRank(11, 10, 10), 7, byRank(14, 12, 11), 10, byRank(17, 14, 12)]
}

function seaLayer(palette: Palette): LayerSpecification {
  return {
    id: 'sea',
    type: 'symbol',
    source: SEAS,
    maxzoom: 7,
    filter: ['<=', ['get', 'minzoom'], ['zoom']],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': fonts.italic,
      'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 6, 14],
      'text-letter-spacing': 0.12,
      'text-max-width': 6,
      'text-padding': 4,
    },
    paint: { 'text-color': palette.sea, 'text-halo-color': palette.water, 'text-halo-width': 1 },
  }
}
