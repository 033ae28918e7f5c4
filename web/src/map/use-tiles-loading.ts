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
    const look = () => {
      const isDone = map.areTilesLoaded()
      if (isDone) {
        clearTimeout(timer)
        timer = undefined
        setLoading(false)
      } else timer ??= setTimeout(() => setLoading(!map.areTilesLoaded()), patienceMs)
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
