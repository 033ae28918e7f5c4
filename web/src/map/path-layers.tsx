import { Layer, Source } from '@vis.gl/react-maplibre'
import type { ExpressionSpecification } from 'maplibre-gl'
import { useMemo } from 'react'
import { arrowImage } from './marker-images.ts'
import { type MapTheme, palettes } from './palette.ts'
import { positionAt } from './path-cursor.ts'
import { type PlacedPoint, pathEnds, pathLines } from './path-data.ts'
import type { Position } from './positions.ts'

export const PATH = 'path'

const WIDTH: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 3, 2, 8, 3.2, 14, 4.5]

type PathLayersProps = {
  points: readonly PlacedPoint[]
  gapMs: number | undefined
  cursorAt: number | null | undefined
  theme: MapTheme
}

/** A journey: its line with arrows along the way, dashed where nothing is known, its start and finish, and a cursor. */
export function PathLayers({ points, gapMs, cursorAt, theme }: PathLayersProps) {
  const palette = palettes[theme]
  const lines = useMemo(() => pathLines(points, gapMs), [points, gapMs])
  const ends = useMemo(() => pathEnds(points), [points])
  const at = typeof cursorAt === 'number' ? positionAt(points, cursorAt, gapMs) : null
  const { warm, cold, warning } = palette.states
  const colour: ExpressionSpecification = [
    'match',
    ['get', 'state'],
    'warm',
    warm,
    'cold',
    cold,
    'warning',
    warning,
    palette.path,
  ]
  const known: ExpressionSpecification = ['!', ['get', 'gap']]
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  return (
    <>
      <Source id={PATH} type="geojson" data={lines}>
        <Layer
          id="path-casing"
          type="line"
          filter={known}
          layout={round}
          paint={{
            'line-color': palette.surface,
            'line-width': ['interpolate', ['linear'], ['zoom'], 3, 4, 8, 6, 14, 8],
          }}
        />
        <Layer
          id={PATH}
          type="line"
          filter={known}
          layout={round}
          paint={{ 'line-color': colour, 'line-width': WIDTH }}
        />
        <Layer
          id="path-gap"
          type="line"
          filter={['get', 'gap']}
          paint={{ 'line-color': palette.path, 'line-width': 1.6, 'line-opacity': 0.75, 'line-dasharray': [2, 2.2] }}
        />
        <Layer
          id="path-direction"
          type="symbol"
          filter={known}
          layout={{
            'symbol-placement': 'line',
            'symbol-spacing': 110,
            'icon-image': arrowImage(theme),
            'icon-rotation-alignment': 'map',
            'icon-allow-overlap': true,
            'icon-ignore-placement': true,
          }}
        />
      </Source>
      <Source id="path-ends" type="geojson" data={ends}>
        <Layer
          id="path-ends"
          type="circle"
          paint={{
            'circle-radius': ['match', ['get', 'end'], 'start', 4.5, 6],
            'circle-color': ['match', ['get', 'end'], 'start', palette.surface, palette.path],
            'circle-stroke-color': ['match', ['get', 'end'], 'start', palette.path, palette.surface],
            'circle-stroke-width': 2.4,
          }}
        />
      </Source>
      <Source id="path-cursor" type="geojson" data={cursorPoint(at)}>
        <Layer
          id="path-cursor"
          type="circle"
          paint={{
            'circle-radius': 7,
            'circle-color': palette.surface,
            'circle-stroke-color': palette.ink,
            'circle-stroke-width': 3,
          }}
        />
      </Source>
    </>
  )
}

function cursorPoint(at: Position | null) {
  const features = at
    ? [
        {
          type: 'Feature' as const,
          geometry: { type: 'Point' as const, coordinates: [at.lon, at.lat] },
          properties: {},
        },
      ]
    : []
  return { type: 'FeatureCollection' as const, features }
}
