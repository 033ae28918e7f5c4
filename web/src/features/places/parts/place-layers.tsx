import type { Geofence, PointOfInterest } from '@isotherm/contract/places.ts'
import { useComputedColorScheme } from '@mantine/core'
import { Layer, Source, useMap } from '@vis.gl/react-maplibre'
import type { ExpressionSpecification, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useMemo, useRef } from 'react'
import { fonts } from '../../../map/label-layers.ts'
import { markerLayerIds } from '../../../map/marker-layers.tsx'
import { palettes } from '../../../map/palette.ts'
import { fenceHex } from '../fence-palette.ts'
import { fenceFeatures, labelFeatures, pointFeatures, reachFeatures } from '../fence-shapes.ts'

/** Beneath paths and markers: fences are the ground on which things move. */
const below = 'path-casing'
const clickable = ['fence-fill', 'fence-line', 'poi', 'poi-reach']
const colour = [
  'match',
  ['get', 'colour'],
  ...Object.entries(fenceHex).flat(),
  '#888888',
] as unknown as ExpressionSpecification

interface PlaceLayersProps {
  fences: readonly Geofence[]
  points: readonly PointOfInterest[]
  /** The one being changed, drawn by the drawing tool instead. */
  hiddenId?: string | null
  chosenId: string | null
  /** Called with what was clicked; not where a marker lies above it. Undefined: not clickable. */
  onChoose?: (kind: 'geofence' | 'point', id: string) => void
}

export function PlaceLayers({ fences, points, hiddenId, chosenId, onChoose }: PlaceLayersProps) {
  const palette = palettes[useComputedColorScheme('light')]
  const shownFences = useMemo(() => fences.filter(({ id }) => id !== hiddenId), [fences, hiddenId])
  const shownPoints = useMemo(() => points.filter(({ id }) => id !== hiddenId), [points, hiddenId])
  const areas = useMemo(() => fenceFeatures(shownFences), [shownFences])
  const labels = useMemo(() => labelFeatures(shownFences), [shownFences])
  const spots = useMemo(() => pointFeatures(shownPoints), [shownPoints])
  const reaches = useMemo(() => reachFeatures(shownPoints), [shownPoints])
  useChoice(onChoose)
  const isChosen: ExpressionSpecification = ['==', ['get', 'id'], chosenId ?? '']
  const haloed = { 'text-color': palette.ink, 'text-halo-color': palette.halo, 'text-halo-width': 1.6 }
  return (
    <>
      <Source id="fences" type="geojson" data={areas}>
        <Layer
          id="fence-fill"
          type="fill"
          beforeId={below}
          paint={{ 'fill-color': colour, 'fill-opacity': ['case', isChosen, 0.32, 0.16] }}
        />
        <Layer
          id="fence-casing"
          type="line"
          beforeId={below}
          layout={{ 'line-join': 'round' }}
          paint={{ 'line-color': palette.ink, 'line-opacity': 0.55, 'line-width': ['case', isChosen, 6, 4] }}
        />
        <Layer
          id="fence-line"
          type="line"
          beforeId={below}
          layout={{ 'line-join': 'round' }}
          paint={{ 'line-color': colour, 'line-width': ['case', isChosen, 4, 2.2] }}
        />
      </Source>
      <Source id="poi-reaches" type="geojson" data={reaches}>
        <Layer
          id="poi-reach"
          type="fill"
          beforeId={below}
          paint={{ 'fill-color': palette.path, 'fill-opacity': ['case', isChosen, 0.26, 0.12] }}
        />
      </Source>
      <Source id="pois" type="geojson" data={spots}>
        <Layer
          id="poi"
          type="circle"
          beforeId={below}
          paint={{
            'circle-radius': ['case', isChosen, 9, 7],
            'circle-color': palette.surface,
            'circle-stroke-color': palette.ink,
            'circle-stroke-width': 2,
          }}
        />
        <Layer
          id="poi-heart"
          type="circle"
          beforeId={below}
          paint={{ 'circle-radius': 3, 'circle-color': palette.ink }}
        />
        <Layer
          id="poi-name"
          type="symbol"
          beforeId={below}
          minzoom={7}
          layout={{
            'text-field': ['get', 'name'],
            'text-font': fonts.medium,
            'text-size': 11.5,
            'text-anchor': 'left',
            'text-offset': [0.95, 0],
            'text-max-width': 10,
            'text-optional': true,
          }}
          paint={haloed}
        />
      </Source>
      <Source id="fence-labels" type="geojson" data={labels}>
        <Layer
          id="fence-name"
          type="symbol"
          beforeId={below}
          minzoom={7}
          layout={{
            'text-field': ['get', 'name'],
            'text-font': fonts.semibold,
            'text-size': 12,
            'text-anchor': 'bottom',
            'text-offset': [0, -0.3],
            'text-max-width': 12,
          }}
          paint={haloed}
        />
      </Source>
    </>
  )
}

function useChoice(onChoose: PlaceLayersProps['onChoose']) {
  const map = useMap().current
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    if (!map) return
    const onClick = ({ point }: MapMouseEvent) => {
      if (!choose.current) return
      const isThere = (id: string) => map.getLayer(id) !== undefined
      const above = Object.values(markerLayerIds).filter(isThere)
      if (map.queryRenderedFeatures(point, { layers: above }).length > 0) return
      const [hit] = map.queryRenderedFeatures(point, { layers: clickable.filter(isThere) })
      const id = hit?.properties.id
      if (hit && typeof id === 'string') choose.current(hit.layer.id.startsWith('fence') ? 'geofence' : 'point', id)
    }
    map.on('click', onClick)
    return () => void map.off('click', onClick)
  }, [map])
}
