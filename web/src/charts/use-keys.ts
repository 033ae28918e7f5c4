import type { KeyboardEvent } from 'react'
import type { Cursor } from './cursor.ts'
import { zoomed } from './geometry.ts'
import type { ChartPanel, TimeWindow } from './model.ts'
import { nearestIndex } from './nearest.ts'
import type { Zoom } from './use-zoom.ts'

/** Keys of the focused chart: arrows move the cursor from reading to reading (Shift: ten), + and − zoom, 0 or Escape shows all. */
export function keysOf(panels: readonly ChartPanel[], whole: TimeWindow, zoom: Zoom, cursor: Cursor) {
  const points =
    panels
      .flatMap(({ points, others = [] }) => [points, ...others.map((line) => line.points)])
      .find(({ length }) => length > 0) ?? []
  const middle = () => cursor.get() ?? (zoom.window.from + zoom.window.to) / 2
  const step = (count: number) => {
    const at = cursor.get()
    const index = at === null ? points.length - 1 : nearestIndex(points, at) + count
    const point = points[Math.min(points.length - 1, Math.max(0, index))]
    if (!point) return
    cursor.set(point.at)
    const { from, to } = zoom.window
    if (point.at < from) zoom.show({ from: point.at, to: point.at + to - from })
    else if (point.at > to) zoom.show({ from: point.at - (to - from), to: point.at })
  }
  const scale = (factor: number) => zoom.show(zoomed(zoom.window, whole, factor, middle()))
  const act = (key: string, isFar: boolean): boolean => {
    if (key === 'ArrowLeft') step(isFar ? -10 : -1)
    else if (key === 'ArrowRight') step(isFar ? 10 : 1)
    else if (key === 'Home') step(-points.length)
    else if (key === 'End') step(points.length)
    else if (key === '+' || key === '=') scale(0.5)
    else if (key === '-') scale(2)
    else if (key === '0') zoom.show(null)
    else if (key === 'Escape') {
      cursor.set(null)
      zoom.show(null)
    } else return false
    return true
  }
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (act(event.key, event.shiftKey)) event.preventDefault()
  }
}
