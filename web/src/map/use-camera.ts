import type { MapRef } from '@vis.gl/react-maplibre'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { MapPadding } from './map-props.ts'
import type { PlacedMarker } from './marker-data.ts'
import type { Bounds } from './positions.ts'

/** How close a map goes by itself: the offline map has nothing more to show closer than the first, streets have. */
export const closestZoom = { land: 11, streets: 14 }
const EDGE_PX = 48

/** Where a map without any position begins: Africa. */
const START: Bounds = [-20, -36, 53, 38]

export function initialView(bounds: Bounds | null, padding: MapPadding | undefined, closest: number) {
  return {
    bounds: bounds ?? START,
    fitBoundsOptions: { padding: edges(padding, bounds ? EDGE_PX : 0), maxZoom: closest },
  }
}

/** Room at the edges: twice as much below, where a marker's words stand and the sources of the map. */
function edges(padding: MapPadding = {}, spare = EDGE_PX) {
  const { top = 0, right = 0, bottom = 0, left = 0 } = padding
  return { top: top + spare, right: right + spare, bottom: bottom + 2 * spare, left: left + spare }
}

type Camera = {
  ready: boolean
  bounds: Bounds | null
  padding: MapPadding | undefined
  fitKey: string | number | undefined
  selected: PlacedMarker | undefined
  /** The closest zoom that the map takes by itself. */
  closest: number
}

/** The first view: a marker that is selected already, as by a link to it; else all. */
export const firstSight = (bounds: Bounds | null, selected: PlacedMarker | undefined): Bounds | null =>
  bounds && selected ? [selected.lon, selected.lat, selected.lon, selected.lat] : bounds

/** Moves the map: to its content when that first has a position or `fitKey` changes, to a selected marker out of sight. */
export function useCamera(
  map: RefObject<MapRef | null>,
  { ready, bounds, padding, fitKey, selected, closest }: Camera,
) {
  const fitted = useRef<{ key: string | number | undefined } | null>(bounds ? { key: fitKey } : null)
  const edge = useRef(padding)
  edge.current = padding

  const show = useCallback(
    (to: Bounds | null, animate = true) => {
      const [west, south, east, north] = to ?? START
      const options = { padding: edges(edge.current), maxZoom: closest, duration: animate ? 400 : 0 }
      map.current?.fitBounds(
        [
          [west, south],
          [east, north],
        ],
        options,
      )
    },
    [map, closest],
  )

  const shown = useRef(selected?.id)
  useEffect(() => {
    if (!ready || !bounds || fitted.current?.key === fitKey) return
    const first = fitted.current === null
    fitted.current = { key: fitKey }
    if (first) shown.current = selected?.id
    show(first ? firstSight(bounds, selected) : bounds, !first)
  }, [ready, bounds, fitKey, selected, show])
  useEffect(() => {
    if (!ready || shown.current === selected?.id) return
    shown.current = selected?.id
    const view = map.current?.getBounds()
    if (!selected || !view || view.contains([selected.lon, selected.lat])) return
    map.current?.easeTo({ center: [selected.lon, selected.lat], padding: edges(edge.current, 0), duration: 400 })
  }, [ready, selected, map])

  return show
}
