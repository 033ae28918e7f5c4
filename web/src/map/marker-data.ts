import type { Feature, FeatureCollection, Point, Polygon } from 'geojson'
import { circleAround, isPosition, type Position } from './positions.ts'

/** In range, late or warning, too warm, too cold, no data: each has its own colour and its own shape. */
export const markerStates = ['ok', 'warning', 'warm', 'cold', 'none'] as const
export type MarkerState = (typeof markerStates)[number]

/** Something with a place on the map. One without a usable position is simply not drawn. */
export type MapMarker = {
  id: string
  lat: number | null
  lon: number | null
  state: MarkerState
  /** Its name, shown beside it and read out. */
  label: string
  /** The main value, ready to read: "9.4 °C". */
  value?: string
  /** Radius around the fix within which the thing truly is, drawn while it is selected. */
  accuracyM?: number | null
}

export type PlacedMarker = MapMarker & Position

export function placedMarkers(markers: readonly MapMarker[]): PlacedMarker[] {
  return markers.filter((marker): marker is PlacedMarker => isPosition(marker))
}

type MarkerProperties = { id: string; state: MarkerState; label: string; value: string; order: number }

/** Points for the clustered source. */
export function markerPoints(markers: readonly PlacedMarker[]): FeatureCollection<Point, MarkerProperties> {
  return { type: 'FeatureCollection', features: markers.map(markerPoint) }
}

/** Markers that need attention are drawn above the others. */
const ORDER: Record<MarkerState, number> = { ok: 0, none: 1, warning: 2, cold: 3, warm: 4 }

export function markerPoint(marker: PlacedMarker): Feature<Point, MarkerProperties> {
  const { id, state, label, value = '', lat, lon } = marker
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties: { id, state, label, value, order: ORDER[state] },
  }
}

/** The circle within which the marker truly is, or null when its accuracy is not known. */
export function accuracyCircle(marker: PlacedMarker): Feature<Polygon> | null {
  const { accuracyM } = marker
  if (typeof accuracyM !== 'number' || !Number.isFinite(accuracyM) || accuracyM <= 0) return null
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [circleAround(marker, accuracyM)] },
    properties: {},
  }
}
