import type { ChartPoint, TimeWindow } from './model.ts'
import { indexFrom } from './nearest.ts'

/** Points that are joined by a line: no gap between them. */
export type Run = ChartPoint[]

/**
 * Cuts the points of a window (and one beyond each edge, so that the line reaches it) into runs without gaps, with at most
 * about `count` points: readings that would share a pixel column become one point with their least, mean and greatest.
 */
export function columnsOf(points: readonly ChartPoint[], window: TimeWindow, count: number): Run[] {
  const first = Math.max(0, indexFrom(points, window.from) - 1)
  const last = Math.min(points.length, indexFrom(points, window.to) + 1)
  const widthMs = last - first > count ? Math.max(1, (window.to - window.from) / count) : 0
  const runs: Run[] = []
  let run: Run = []
  let column: Column | null = null
  for (let index = first; index < last; index++) {
    const point = points[index] as ChartPoint
    const gap = point.afterGap === true && (column !== null || run.length > 0)
    const slot = widthMs === 0 ? index : Math.floor((point.at - window.from) / widthMs)
    if (column && (gap || column.slot !== slot)) {
      run.push(closed(column))
      column = null
    }
    if (gap) {
      runs.push(run)
      run = []
    }
    column = column
      ? joined(column, point)
      : { slot, n: 1, sumAt: point.at, sumAvg: point.avg, min: point.min, max: point.max }
  }
  if (column) run.push(closed(column))
  if (run.length > 0) runs.push(run)
  return runs
}

interface Column {
  slot: number
  n: number
  sumAt: number
  sumAvg: number
  min: number
  max: number
}

function joined(column: Column, point: ChartPoint): Column {
  column.n += 1
  column.sumAt += point.at
  column.sumAvg += point.avg
  if (point.min < column.min) column.min = point.min
  if (point.max > column.max) column.max = point.max
  return column
}

const closed = ({ n, sumAt, sumAvg, min, max }: Column): ChartPoint =>
  n === 1 ? { at: sumAt, min, avg: sumAvg, max } : { at: Math.round(sumAt / n), min, avg: sumAvg / n, max }
