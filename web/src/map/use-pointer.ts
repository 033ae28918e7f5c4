import type { MapLayerMouseEvent, MapRef } from '@vis.gl/react-maplibre'
import type { GeoJSONSource } from 'maplibre-gl'
import { type RefObject, useState } from 'react'
import { MARKERS, markerLayerIds } from './marker-layers.tsx'
import { momentNear } from './path-cursor.ts'
import type { PlacedPoint } from './path-data.ts'
import { PATH } from './path-layers.tsx'

/** How far from a path the pointer may be to move its cursor. */
const NEAR_PX = 14

type Pointer = {
  points: readonly PlacedPoint[]
  gapMs: number | undefined
  selectedId: string | null | undefined
  onSelect: ((id: string | null) => void) | undefined
  onCursorAt: ((at: number | null) => void) | undefined
  inert: boolean
}

/** Handlers for clicks on markers and clusters, and for the pointer along a path. */
export function usePointer(
  map: RefObject<MapRef | null>,
  { points, gapMs, selectedId, onSelect, onCursorAt, inert }: Pointer,
) {
  const [over, setOver] = useState(false)

  function onClick({ features = [] }: MapLayerMouseEvent) {
    const cluster = features.find(({ layer }) => layer.id === markerLayerIds.cluster)
    const ids = [...new Set(features.flatMap(({ properties: { id } }) => (typeof id === 'string' ? [id] : [])))]
    if (ids.length > 0) return onSelect?.(nextOf(ids, selectedId) ?? null)
    if (cluster) return void openCluster(cluster)
    onSelect?.(null)
  }

  async function openCluster({ properties, geometry }: NonNullable<MapLayerMouseEvent['features']>[number]) {
    const source = map.current?.getSource<GeoJSONSource>(MARKERS)
    if (!source || geometry.type !== 'Point') return
    const zoom = await source.getClusterExpansionZoom(Number(properties.cluster_id))
    map.current?.easeTo({ center: geometry.coordinates as [number, number], zoom: zoom + 0.2, duration: 400 })
  }

  function onMouseMove({ features = [], point: { x, y }, lngLat }: MapLayerMouseEvent) {
    setOver(features.length > 0)
    if (!onCursorAt || points.length === 0 || !map.current?.getLayer(PATH)) return
    const around: [[number, number], [number, number]] = [
      [x - NEAR_PX, y - NEAR_PX],
      [x + NEAR_PX, y + NEAR_PX],
    ]
    const near = map.current.queryRenderedFeatures(around, { layers: [PATH, 'path-gap', 'path-ends'] }).length > 0
    onCursorAt(near ? momentNear(points, { lat: lngLat.lat, lon: lngLat.lng }, gapMs) : null)
  }

  if (inert) return {}
  return {
    interactiveLayerIds: onSelect ? Object.values(markerLayerIds) : [markerLayerIds.cluster],
    cursor: over ? 'pointer' : 'grab',
    onClick,
    onMouseMove,
    onMouseOut: () => onCursorAt?.(null),
  }
}

/** Among several markers under the pointer, takes the one after the selected: each click reaches another. */
function nextOf(ids: readonly string[], selectedId: string | null | undefined): string | undefined {
  return ids[(ids.indexOf(selectedId ?? '') + 1) % ids.length]
}
