import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useMemo } from 'react'
import type { Cursor } from '../../charts/cursor.ts'
import type { MapPadding } from '../map-props.ts'
import { positionAt } from '../path-cursor.ts'
import { type MapPath, placedPoints } from '../path-data.ts'

interface FollowCursorProps {
  cursor: Cursor
  path: MapPath | null
  padding: MapPadding
}

/** Keeps the moment that is played in the middle of the map. */
export function FollowCursor({ cursor, path, padding }: FollowCursorProps) {
  const map = useMap().current
  const points = useMemo(() => placedPoints(path), [path])
  useEffect(() => {
    if (!map) return
    const go = () => {
      const at = cursor.get()
      const position = at === null ? null : positionAt(points, at, path?.gapMs)
      if (!position) return
      const whole = { top: 0, right: 0, bottom: 0, left: 0, ...padding }
      map.jumpTo({ center: [position.lon, position.lat], padding: whole })
    }
    go()
    const stop = cursor.subscribe(go)
    return () => {
      stop()
      // Else the map would go on looking past the room that the panels took.
      map.jumpTo({ padding: { top: 0, right: 0, bottom: 0, left: 0 } })
    }
  }, [map, cursor, points, path, padding])
  return null
}
