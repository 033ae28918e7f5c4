import { Layer, Source } from '@vis.gl/react-maplibre'
import type {
  ExpressionSpecification,
  SymbolLayerSpecification,
  VariableAnchorOffsetCollectionSpecification,
} from 'maplibre-gl'
import { useMemo } from 'react'
import { fonts } from './label-layers.ts'
import {
  accuracyCircle,
  type MarkerState,
  markerPoint,
  markerPoints,
  markerStates,
  type PlacedMarker,
} from './marker-data.ts'
import { type MapTheme, palettes } from './palette.ts'

export const MARKERS = 'markers'
export const markerLayerIds = { marker: 'marker', cluster: 'cluster', selected: 'selected' }

const CLUSTER_RADIUS_PX = 44
/** Beyond this zoom every marker stands for itself; those at one and the same place are clicked through. */
const CLUSTER_MAX_ZOOM = 13

/** Each cluster knows how many of its markers are in which state. */
const COUNTS = Object.fromEntries(
  markerStates.map((state) => [state, ['+', ['case', ['==', ['get', 'state'], state], 1, 0]]]),
)

/** The state of a cluster that most needs to be seen. */
const WORST: ExpressionSpecification = [
  'case',
  ['>', ['get', 'warm'], 0],
  'warm',
  ['>', ['get', 'cold'], 0],
  'cold',
  ['>', ['get', 'warning'], 0],
  'warning',
  ['>', ['get', 'ok'], 0],
  'ok',
  'none',
]

const text: SymbolLayerSpecification['layout'] = {
  'text-size': 11.5,
  'text-offset': [0, 1.15],
  'text-anchor': 'top',
  'text-max-width': 9,
}

/** Where a name stands: below its marker, or else on the first side that nothing covers. */
const sides: VariableAnchorOffsetCollectionSpecification = [
  'top',
  [0, 1.15],
  'bottom',
  [0, -1.15],
  'left',
  [1.15, 0],
  'right',
  [-1.15, 0],
]

/** "9.4 °C" over "Van 3". */
const CAPTION: ExpressionSpecification = [
  'format',
  ['get', 'value'],
  { 'text-font': ['literal', fonts.semibold], 'font-scale': 1.08 },
  ['case', ['==', ['get', 'value'], ''], '', '\n'],
  {},
  ['get', 'label'],
  {},
]

type MarkerLayersProps = { markers: readonly PlacedMarker[]; selected: PlacedMarker | undefined; theme: MapTheme }

/** Markers in clusters, and the selected one large above all, with the circle of its accuracy. */
export function MarkerLayers({ markers, selected, theme }: MarkerLayersProps) {
  const circle = useMemo(() => (selected && accuracyCircle(selected)) ?? EMPTY, [selected])
  const { path } = palettes[theme]
  return (
    <>
      <Source id="accuracy" type="geojson" data={circle}>
        <Layer id="accuracy-fill" type="fill" paint={{ 'fill-color': path, 'fill-opacity': 0.12 }} />
        <Layer id="accuracy-line" type="line" paint={{ 'line-color': path, 'line-width': 1, 'line-opacity': 0.5 }} />
      </Source>
      <Clusters markers={markers} theme={theme} />
      <Selected marker={selected} theme={theme} />
    </>
  )
}

const imageOf = (state: ExpressionSpecification, theme: MapTheme): ExpressionSpecification => [
  'concat',
  'marker-',
  state,
  `-${theme}`,
]
const haloOf = (theme: MapTheme) => ({
  'text-color': palettes[theme].ink,
  'text-halo-color': palettes[theme].halo,
  'text-halo-width': 1.6,
})

function Clusters({ markers, theme }: Pick<MarkerLayersProps, 'markers' | 'theme'>) {
  const palette = palettes[theme]
  const points = useMemo(() => markerPoints(markers), [markers])
  const stateColours = markerStates.flatMap((state): [MarkerState, string] => [state, palette.states[state]])
  const worstColour = ['match', WORST, ...stateColours, palette.states.none] as unknown as ExpressionSpecification
  return (
    <Source
      id={MARKERS}
      type="geojson"
      data={points}
      cluster
      clusterRadius={CLUSTER_RADIUS_PX}
      clusterMaxZoom={CLUSTER_MAX_ZOOM}
      clusterProperties={COUNTS}
    >
      <Layer
        id={markerLayerIds.marker}
        type="symbol"
        filter={['!', ['has', 'point_count']]}
        layout={{
          'icon-image': imageOf(['get', 'state'], theme),
          'icon-allow-overlap': true,
          'symbol-sort-key': ['get', 'order'],
          'text-field': CAPTION,
          'text-font': fonts.medium,
          'text-optional': true,
          ...text,
          'text-variable-anchor-offset': sides,
        }}
        paint={haloOf(theme)}
      />
      <Layer
        id={markerLayerIds.cluster}
        type="circle"
        filter={['has', 'point_count']}
        paint={{
          'circle-radius': ['step', ['get', 'point_count'], 14, 10, 17, 100, 21, 1000, 26],
          'circle-color': palette.surface,
          'circle-stroke-color': worstColour,
          'circle-stroke-width': 3,
        }}
      />
      <Layer
        id="cluster-count"
        type="symbol"
        filter={['has', 'point_count']}
        layout={{
          'text-field': ['get', 'point_count_abbreviated'],
          'text-font': fonts.semibold,
          'text-size': 12.5,
          'text-allow-overlap': true,
          // As wide as the bubble: names beside it find another side, or are left out.
          'text-padding': 12,
        }}
        paint={{ 'text-color': palette.ink }}
      />
      <Layer
        id="cluster-worst"
        type="symbol"
        filter={['all', ['has', 'point_count'], ['!=', WORST, 'ok']]}
        layout={{
          'icon-image': imageOf(WORST, theme),
          'icon-size': 0.62,
          'icon-offset': [
            'step',
            ['get', 'point_count'],
            ['literal', [19, -19]],
            10,
            ['literal', [22, -22]],
            100,
            ['literal', [26, -26]],
          ],
          'icon-allow-overlap': true,
          'icon-ignore-placement': true,
        }}
      />
    </Source>
  )
}

function Selected({ marker, theme }: { marker: PlacedMarker | undefined; theme: MapTheme }) {
  const { ink } = palettes[theme]
  const chosen = useMemo(() => (marker ? markerPoint(marker) : EMPTY), [marker])
  return (
    <Source id="selected" type="geojson" data={chosen}>
      <Layer
        id="selected-ring"
        type="circle"
        paint={{
          'circle-radius': 20,
          'circle-color': ink,
          'circle-opacity': 0.12,
          'circle-stroke-color': ink,
          'circle-stroke-width': 1.8,
        }}
      />
      <Layer
        id={markerLayerIds.selected}
        type="symbol"
        layout={{
          'icon-image': imageOf(['get', 'state'], theme),
          'icon-size': 1.15,
          'icon-allow-overlap': true,
          'icon-ignore-placement': true,
          'text-field': CAPTION,
          'text-font': fonts.medium,
          'text-allow-overlap': true,
          ...text,
          'text-offset': [0, 1.9],
        }}
        paint={haloOf(theme)}
      />
    </Source>
  )
}

const EMPTY = { type: 'FeatureCollection' as const, features: [] }
