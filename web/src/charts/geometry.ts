import type { ChartLayout, TimeWindow } from './model.ts'

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const axisWidth = 46
const right = 22
const top = 30
const bottom = 26
const between = 36

export interface Geometry {
  width: number
  height: number
  /** A plot per panel; where they share one, the same box again and again. */
  plots: Box[]
}

/** Where the plots lie, in CSS pixels. The first panel gets more room: it holds what people came for. */
export function geometryOf(width: number, height: number, panels: number, layout: ChartLayout): Geometry {
  if (layout === 'shared') {
    const rightAxes = Math.max(0, panels - 1) * axisWidth
    const inner = Math.max(10, width - axisWidth - Math.max(right, rightAxes))
    const box = { left: axisWidth, top, width: inner, height: Math.max(10, height - top - bottom) }
    return { width, height, plots: Array.from({ length: panels }, () => box) }
  }
  const room = Math.max(20, height - top - bottom - between * (panels - 1))
  const shares = Array.from({ length: panels }, (_, index) => (index === 0 && panels > 1 ? 1.7 : 1))
  const sum = shares.reduce((a, b) => a + b, 0)
  let y = top
  const plots = shares.map((share) => {
    const box = {
      left: axisWidth,
      top: y,
      width: Math.max(10, width - axisWidth - right),
      height: (room * share) / sum,
    }
    y += box.height + between
    return box
  })
  return { width, height, plots }
}

export const xOf = (at: number, window: TimeWindow, box: Box): number =>
  box.left + ((at - window.from) / (window.to - window.from)) * box.width
export const timeAt = (x: number, window: TimeWindow, box: Box): number =>
  window.from + ((x - box.left) / box.width) * (window.to - window.from)

/** A window within `whole`, no shorter than `leastMs`, that keeps its length where it hits an end. */
export function keptWithin(window: TimeWindow, whole: TimeWindow, leastMs = 60_000): TimeWindow {
  const length = Math.min(whole.to - whole.from, Math.max(leastMs, window.to - window.from))
  const middle = (window.from + window.to) / 2
  const from = Math.min(Math.max(whole.from, Math.round(middle - length / 2)), whole.to - length)
  return { from, to: from + length }
}

/** Zooms by `factor` (below 1 is closer) around the instant `at`, which stays where it is. */
export function zoomed(window: TimeWindow, whole: TimeWindow, factor: number, at: number): TimeWindow {
  const length = Math.min(whole.to - whole.from, Math.max(60_000, (window.to - window.from) * factor))
  const share = (at - window.from) / (window.to - window.from)
  const from = at - share * length
  return keptWithin({ from, to: from + length }, whole)
}
