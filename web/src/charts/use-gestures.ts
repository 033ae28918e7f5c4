import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Cursor } from './cursor.ts'
import { type Box, timeAt, zoomed } from './geometry.ts'
import type { TimeWindow } from './model.ts'
import type { Zoom } from './use-zoom.ts'

interface Surface {
  box: Box
  whole: TimeWindow
  zoom: Zoom
  cursor: Cursor
}
/** The dragged range, in pixels of the chart; null without a drag. */
export type Selection = { from: number; to: number } | null

const leastDragPx = 6

/**
 * Mouse: moving points, dragging selects what to zoom to, a double click shows all. Wheel: zooms with Ctrl, or once the
 * chart has the focus, so that scrolling the page is never caught. Touch: a finger points (or pans when zoomed), two pinch.
 */
export function useGestures(element: RefObject<HTMLElement | null>, surface: Surface) {
  const [selection, setSelection] = useState<Selection>(null)
  const [hint, setHint] = useState(false)
  const now = useRef(surface)
  now.current = surface
  useEffect(() => {
    const target = element.current
    if (!target) return
    return listen(target, now, setSelection, setHint)
  }, [element])
  useEffect(() => {
    if (!hint) return
    const timer = setTimeout(() => setHint(false), 1500)
    return () => clearTimeout(timer)
  }, [hint])
  return { selection, hint }
}

function listen(
  target: HTMLElement,
  now: RefObject<Surface>,
  setSelection: (selection: Selection) => void,
  setHint: (shown: boolean) => void,
) {
  const fingers = new Map<number, number>()
  let start: { x: number; window: TimeWindow } | null = null
  let spread: { distance: number; window: TimeWindow; at: number } | null = null
  const xIn = (event: MouseEvent) => event.clientX - target.getBoundingClientRect().left
  const timeOf = (x: number, window = now.current.zoom.window) => timeAt(x, window, now.current.box)
  const clamp = (x: number) => Math.min(Math.max(x, now.current.box.left), now.current.box.left + now.current.box.width)

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    const x = xIn(event)
    start = { x, window: now.current.zoom.window }
    if (event.pointerType === 'mouse') return
    fingers.set(event.pointerId, x)
    now.current.cursor.set(timeOf(clamp(x)))
    const [a, b] = [...fingers.values()]
    if (a !== undefined && b !== undefined)
      spread = { distance: Math.max(20, Math.abs(a - b)), window: start.window, at: timeOf((a + b) / 2) }
  }
  const move = (event: PointerEvent) => {
    const x = xIn(event)
    if (event.pointerType === 'mouse') {
      now.current.cursor.set(timeOf(clamp(x)))
      if (!start || (event.buttons & 1) === 0) return
      if (Math.abs(x - start.x) >= leastDragPx) {
        if (!target.hasPointerCapture(event.pointerId)) target.setPointerCapture(event.pointerId)
        setSelection({ from: clamp(Math.min(start.x, x)), to: clamp(Math.max(start.x, x)) })
      }
      return
    }
    if (!fingers.has(event.pointerId)) return
    fingers.set(event.pointerId, x)
    const [a, b] = [...fingers.values()]
    const { whole, zoom, cursor, box } = now.current
    if (spread && a !== undefined && b !== undefined) {
      zoom.show(zoomed(spread.window, whole, spread.distance / Math.max(20, Math.abs(a - b)), spread.at))
    } else if (start && zoom.zoomed && !spread) {
      const shift = ((start.x - x) / box.width) * (start.window.to - start.window.from)
      zoom.show({ from: start.window.from + shift, to: start.window.to + shift })
    } else cursor.set(timeOf(clamp(x)))
  }
  const up = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && event.type === 'pointerup' && start) {
      const x = xIn(event)
      if (Math.abs(x - start.x) >= leastDragPx)
        now.current.zoom.show({ from: timeOf(clamp(Math.min(start.x, x))), to: timeOf(clamp(Math.max(start.x, x))) })
    }
    fingers.delete(event.pointerId)
    if (fingers.size === 0) spread = null
    start = null
    setSelection(null)
  }
  const leave = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') now.current.cursor.set(null)
  }
  const wheel = (event: WheelEvent) => {
    const { zoom, whole, box } = now.current
    const wanted = event.ctrlKey || event.metaKey || document.activeElement === target
    if (!wanted) {
      if (Math.abs(event.deltaY) > Math.abs(event.deltaX)) setHint(true)
      return
    }
    event.preventDefault()
    const { window } = zoom
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const shift = (event.deltaX / box.width) * (window.to - window.from)
      zoom.show({ from: window.from + shift, to: window.to + shift })
    } else zoom.show(zoomed(window, whole, 1.0016 ** event.deltaY, timeOf(clamp(xIn(event)))))
  }
  const all = () => now.current.zoom.show(null)
  const ending = new AbortController()
  const { signal } = ending
  target.addEventListener('pointerdown', down, { signal })
  target.addEventListener('pointermove', move, { signal })
  target.addEventListener('pointerup', up, { signal })
  target.addEventListener('pointercancel', up, { signal })
  target.addEventListener('pointerleave', leave, { signal })
  target.addEventListener('dblclick', all, { signal })
  target.addEventListener('wheel', wheel, { signal, passive: false })
  return () => ending.abort()
}
