import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useRef } from 'react'
import type { MapPadding } from './map-props.ts'
import type { Bounds } from './positions.ts'

/** The target of the view: a new object moves the map. `zoom` is the closest. */
export interface View {
  bounds: Bounds
  maxZoom?: number
}

const edgePx = 56

/** A child of a map that moves it, when `view` changes. */
export function FlyTo({ view, padding }: { view: View | null; padding?: MapPadding }) {
  const map = useMap().current
  const edge = useRef(padding)
  edge.current = padding
  useEffect(() => {
    if (!map || !view) return
    const [west, south, east, north] = view.bounds
    const { clientWidth: width, clientHeight: height } = map.getContainer()
    const { top = 0, bottom = 0, ...sides } = edge.current ?? {}
    let { left = 0, right = 0 } = sides
    // On narrow maps panels lie over what is looked at.
    if (left + right + 3 * edgePx > width) [left, right] = [Math.max(0, Math.min(left, width - 4 * edgePx)), 0]
    const [above, below] = top + bottom + 3 * edgePx > height ? [0, 0] : [top, bottom]
    map.fitBounds(
      [
        [west, south],
        [east, north],
      ],
      {
        padding: { top: above + edgePx, right: right + edgePx, bottom: below + edgePx, left: left + edgePx },
        maxZoom: view.maxZoom ?? 14,
        duration: 500,
      },
    )
  }, [map, view])
  return null
}
