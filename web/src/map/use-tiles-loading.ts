import type { MapRef } from '@vis.gl/react-maplibre'
import { type RefObject, useEffect, useState } from 'react'

/** Quick loads say nothing. */
const patienceMs = 600

/** Whether the map, or tiles that are in view, have been on their way for a while. */
export function useTilesLoading(view: RefObject<MapRef | null>, ready: boolean): boolean {
  const [isLoading, setLoading] = useState(false)
  useEffect(() => {
    const map = ready ? view.current?.getMap() : undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    if (!map) {
      // Neither style nor tiles are there yet.
      timer = setTimeout(() => setLoading(true), patienceMs)
      return () => clearTimeout(timer)
    }
    // A source that is still asked what it has knows of no tile.
    const isAllThere = () =>
      map.areTilesLoaded() && Object.keys(map.getStyle()?.sources ?? {}).every((id) => map.isSourceLoaded(id))
    const look = () => {
      const isDone = isAllThere()
      if (isDone) {
        clearTimeout(timer)
        timer = undefined
        setLoading(false)
      } else timer ??= setTimeout(() => setLoading(!isAllThere()), patienceMs)
    }
    const events = ['sourcedataloading', 'sourcedata', 'idle', 'error'] as const
    for (const event of events) map.on(event, look)
    look()
    return () => {
      clearTimeout(timer)
      for (const event of events) map.off(event, look)
    }
  }, [view, ready])
  return isLoading
}
