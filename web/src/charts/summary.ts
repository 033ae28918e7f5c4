import type { ChartPanel, TimeWindow } from './model.ts'
import { indexFrom } from './nearest.ts'

export interface PanelSummary {
  count: number
  min: number
  max: number
  /** Mean of the points' means: what the eye sees, not a statistic of the readings. */
  avg: number
  minAt: number
  maxAt: number
}

/** Summarizes a panel within a window, in figures; null where it shows nothing. */
export function summaryOf(panel: ChartPanel, window: TimeWindow): PanelSummary | null {
  let found: PanelSummary | null = null
  let sum = 0
  for (let index = indexFrom(panel.points, window.from); index < panel.points.length; index++) {
    const point = panel.points[index]
    if (!point || point.at > window.to) break
    sum += point.avg
    if (!found) found = { count: 0, min: point.min, max: point.max, avg: 0, minAt: point.at, maxAt: point.at }
    found.count += 1
    if (point.min < found.min) {
      found.min = point.min
      found.minAt = point.at
    }
    if (point.max > found.max) {
      found.max = point.max
      found.maxAt = point.at
    }
  }
  if (found) found.avg = sum / found.count
  return found
}
