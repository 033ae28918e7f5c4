import { useCallback, useEffect, useRef, useState } from 'react'
import { keptWithin } from './geometry.ts'
import type { TimeWindow } from './model.ts'

/** How long the view must rest before somebody fetches for it. */
const restMs = 250

export interface Zoom {
  window: TimeWindow
  zoomed: boolean
  /** Shows another window; null is the whole period. */
  show(next: TimeWindow | null): void
}

/** The part of a period that is shown. The whole may move on (live data); the part then stays where it is. */
export function useZoom(whole: TimeWindow, onZoom?: (window: TimeWindow | null) => void): Zoom {
  const [part, setPart] = useState<TimeWindow | null>(null)
  const latestOnZoom = useRef(onZoom)
  latestOnZoom.current = onZoom
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const timer = setTimeout(() => latestOnZoom.current?.(part), restMs)
    return () => clearTimeout(timer)
  }, [part])
  // Fetching for the part must stop once this chart is gone, such as for another period.
  useEffect(() => () => latestOnZoom.current?.(null), [])
  const show = useCallback(
    (next: TimeWindow | null) => {
      const kept = next && keptWithin(next, whole)
      const isWhole = !kept || (kept.from <= whole.from && kept.to >= whole.to)
      setPart(isWhole ? null : { from: Math.round(kept.from), to: Math.round(kept.to) })
    },
    [whole],
  )
  const window = part ? keptWithin(part, whole) : whole
  return { window, zoomed: part !== null, show }
}
