import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { fonts } from './label-layers.ts'
import type { Palette } from './palette.ts'

export const STREETS = 'streets'

const isKind = (...kinds: string[]): FilterSpecification => ['in', ['get', 'kind'], ['literal', kinds]]
const isPolygon: FilterSpecification = ['==', ['geometry-type'], 'Polygon']

/** Pixels by zoom, growing as streets do on the ground. */
const width = (...stops: [zoom: number, pixels: number][]): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  ...stops.flat(),
]

const greens = ['park', 'forest', 'wood', 'grass', 'grassland', 'cemetery', 'nature_reserve', 'golf_course', 'garden']

/** Land, water, houses and streets of an archive in the layers of Protomaps (version 4), from the bottom up. */
export function streetLayers({ land, water, waterLine, street }: Palette): LayerSpecification[] {
  const from = (layer: string) => ({ source: STREETS, 'source-layer': layer })
  const line = (id: string, kinds: string[], look: { color: string; widths: [number, number][]; from: number }) =>
    ({
      id,
      type: 'line',
      ...from('roads'),
      minzoom: look.from,
      filter: isKind(...kinds),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': look.color, 'line-width': width(...look.widths) },
    }) satisfies LayerSpecification
  const wider = (widths: [number, number][]) => widths.map(([zoom, pixels]): [number, number] => [zoom, pixels + 1.6])
  const minor: [number, number][] = [
    [12, 0.6],
    [15, 3.5],
    [18, 14],
  ]
  const major: [number, number][] = [
    [7, 0.8],
    [12, 2.4],
    [15, 6],
    [18, 20],
  ]
  return [
    { id: 'street-land', type: 'fill', ...from('earth'), filter: isPolygon, paint: { 'fill-color': land } },
    {
      id: 'street-green',
      type: 'fill',
      ...from('landuse'),
      filter: isKind(...greens),
      paint: { 'fill-color': street.green },
    },
    { id: 'street-water', type: 'fill', ...from('water'), filter: isPolygon, paint: { 'fill-color': water } },
    {
      id: 'street-river',
      type: 'line',
      ...from('water'),
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': waterLine, 'line-width': width([9, 0.6], [14, 2], [18, 8]) },
    },
    {
      id: 'street-building',
      type: 'fill',
      ...from('buildings'),
      minzoom: 14,
      filter: isPolygon,
      paint: { 'fill-color': street.building },
    },
    line('street-path', ['path'], {
      color: street.edge,
      widths: [
        [14, 0.6],
        [18, 3],
      ],
      from: 14,
    }),
    line('street-rail', ['rail'], {
      color: street.rail,
      widths: [
        [10, 0.6],
        [16, 2.4],
      ],
      from: 10,
    }),
    line('street-minor-edge', ['minor_road'], { color: street.edge, widths: wider(minor), from: 12 }),
    line('street-major-edge', ['highway', 'major_road'], { color: street.edge, widths: wider(major), from: 7 }),
    line('street-minor', ['minor_road'], { color: street.minor, widths: minor, from: 12 }),
    line('street-major', ['highway', 'major_road'], { color: street.major, widths: major, from: 7 }),
  ]
}

/** Names along streets, in the language of the place. */
export const streetNames = ({ street, halo }: Palette): LayerSpecification => ({
  id: 'street-name',
  type: 'symbol',
  source: STREETS,
  'source-layer': 'roads',
  minzoom: 13,
  filter: ['all', isKind('highway', 'major_road', 'minor_road', 'path'), ['has', 'name']] as FilterSpecification,
  layout: {
    'symbol-placement': 'line',
    'text-field': ['get', 'name'],
    'text-font': fonts.regular,
    'text-size': ['interpolate', ['linear'], ['zoom'], 13, 10, 17, 13],
    'text-padding': 4,
  },
  paint: { 'text-color': street.name, 'text-halo-color': halo, 'text-halo-width': 1.4 },
})
