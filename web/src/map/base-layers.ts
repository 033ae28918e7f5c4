import type { LayerSpecification } from 'maplibre-gl'
import type { Palette } from './palette.ts'

export const BASEMAP = 'basemap'

const OVER_PICTURES = 'rgba(255, 255, 255, 0.55)'

/** Land, water and limits of the offline map, from the bottom up. */
export function groundLayers(palette: Palette): LayerSpecification[] {
  const from = (layer: string) => ({ source: BASEMAP, 'source-layer': layer })
  return [
    { id: 'land', type: 'fill', ...from('land'), paint: { 'fill-color': palette.land, 'fill-antialias': false } },
    {
      id: 'river',
      type: 'line',
      ...from('river'),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': palette.waterLine,
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.5, 6, 1, 9, 1.6],
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 3, 0, 4, 0.8, 9, 0.8, 11, 0.3],
      },
    },
    { id: 'lake', type: 'fill', ...from('lake'), paint: { 'fill-color': palette.water } },
  ]
}

/** Coasts and borders, drawn above relief and pictures too. */
export function limitLayers(palette: Palette, overPictures: boolean): LayerSpecification[] {
  const [coast, border] = overPictures ? [OVER_PICTURES, OVER_PICTURES] : [palette.coast, palette.border]
  const from = (layer: string) => ({ source: BASEMAP, 'source-layer': layer })
  const width = (at2: number, at10: number): LineWidth => ['interpolate', ['linear'], ['zoom'], 2, at2, 10, at10]
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  return [
    {
      id: 'coast',
      type: 'line',
      ...from('land'),
      layout: round,
      paint: { 'line-color': coast, 'line-width': width(0.4, 1.2) },
    },
    {
      id: 'shore',
      type: 'line',
      ...from('lake'),
      minzoom: 4,
      layout: round,
      paint: { 'line-color': coast, 'line-width': width(0.2, 0.9) },
    },
    {
      id: 'border',
      type: 'line',
      ...from('border'),
      filter: ['!', ['get', 'disputed']],
      layout: round,
      paint: { 'line-color': border, 'line-width': width(0.5, 1.6) },
    },
    {
      id: 'border-disputed',
      type: 'line',
      ...from('border'),
      filter: ['get', 'disputed'],
      paint: { 'line-color': border, 'line-width': width(0.5, 1.6), 'line-dasharray': [3, 2.5] },
    },
  ]
}

type LineWidth = ['interpolate', ['linear'], ['zoom'], number, number, number, number]
