import { useMap } from '@vis.gl/react-maplibre'
import { type RefObject, useEffect, useRef } from 'react'
import { type Box, clearOf, moveTo } from './clear-move.ts'
import type { MapPadding } from './map-props.ts'
import type { Bounds } from './positions.ts'

interface KeepClearProps {
  /** The thing that a panel is about; a new object is looked after once, wherever the person moves the map afterwards. */
  about: { bounds: Bounds } | null
  /** The panel, or the frame that holds one. */
  panel: RefObject<HTMLElement | null>
  padding: MapPadding
}

/** Half of what is written beside a marker, too. */
const edgePx = 56

/** A child of a map that moves it where a panel would cover the thing that the panel is about. */
export function KeepClear({ about, panel, padding }: KeepClearProps) {
  const map = useMap().current?.getMap()
  const room = useRef(padding)
  room.current = padding
  useEffect(() => {
    const frame = panel.current
    if (!map || !about || !frame) return
    const look = () => {
      // After the move that is under way: where it leads to is not known yet.
      if (map.isMoving()) return void map.once('moveend', look)
      const whole = map.getContainer().getBoundingClientRect()
      const { top = 0, right = 0, bottom = 0, left = 0 } = room.current
      const inner = {
        left: left + edgePx,
        top: top + edgePx,
        right: whole.width - right - edgePx,
        bottom: whole.height - bottom - edgePx,
      }
      const covered = boxIn(frame.getBoundingClientRect(), whole)
      const size = { left: 0, top: 0, right: whole.width, bottom: whole.height }
      const covering = { ...covered, left: covered.left - edgePx, top: covered.top - edgePx }
      const free = clearOf(frame.childElementCount > 0 ? covering : null, size, inner)
      const [west, south, east, north] = about.bounds
      const [first, last] = [map.project([west, north]), map.project([east, south])]
      const move = moveTo({ left: first.x, top: first.y, right: last.x, bottom: last.y }, free)
      if (move === 'fit')
        map.fitBounds([west, south, east, north], {
          padding: { ...free, right: whole.width - free.right, bottom: whole.height - free.bottom },
          duration: 300,
        })
      else if (move) map.panBy([move.x, move.y], { duration: 300 })
    }
    // The panel grows while what it shows arrives.
    const observer = new ResizeObserver(look)
    observer.observe(frame)
    const stop = setTimeout(() => observer.disconnect(), settledMs)
    return () => {
      clearTimeout(stop)
      observer.disconnect()
      map.off('moveend', look)
    }
  }, [map, about, panel])
  return null
}

/** From then on the person moves the map. */
const settledMs = 2_500

const boxIn = (box: DOMRect, whole: DOMRect): Box => ({
  left: box.left - whole.left,
  top: box.top - whole.top,
  right: box.right - whole.left,
  bottom: box.bottom - whole.top,
})
