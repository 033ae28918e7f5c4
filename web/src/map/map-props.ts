import type { MapType } from '@isotherm/contract/company.ts'
import type { ReactNode } from 'react'
import type { MapMarker } from './marker-data.ts'
import type { MapTheme } from './palette.ts'
import type { MapPath } from './path-data.ts'
import type { Bounds } from './positions.ts'

/** Room in pixels to keep free at the edges, where panels float over the map. */
export type MapPadding = { top?: number; right?: number; bottom?: number; left?: number }

export type IsothermMapProps = {
  /** The description of the map for people who cannot see it: "Positions of all devices". */
  label: string
  /** CSS height; the map takes the whole width. Default 360 px. */
  height?: number | string
  markers?: readonly MapMarker[]
  path?: MapPath | null
  selectedId?: string | null
  /** Called with a marker's id, or null when the person clicks beside all markers. */
  onSelect?: (id: string | null) => void
  /** The positions to bring into view, once there are any. Later positions do not move the map; a new `fitKey` does. */
  fitTo?: 'markers' | 'path' | 'all' | Bounds
  fitKey?: string | number
  padding?: MapPadding
  /** The person's preferred kind of map. Without `onMapTypeChange` the map itself remembers another choice. */
  mapType?: MapType
  onMapTypeChange?: (mapType: MapType) => void
  /** A moment on the path to mark, and the one under the pointer, so that a chart and the map move together. */
  cursorAt?: number | null
  onCursorAt?: (at: number | null) => void
  /** Default: the colours of the page. */
  theme?: MapTheme
  /** Zooming by wheel needs Ctrl, moving by touch two fingers: for maps inside a page that scrolls. */
  cooperative?: boolean
  /** Clicks belong to a drawing tool: nothing is chosen, opened or pointed at. */
  inert?: boolean
  /** More buttons, below those of the map; class `button` of map.module.css. */
  controls?: ReactNode
  /** Said over the map while there is nothing with a position. Default: that there is no position yet. */
  emptyText?: string
  /** `Source` and `Layer` of `@vis.gl/react-maplibre`, and anything that calls its `useMap`. */
  children?: ReactNode
}
