import type { Run } from './columns.ts'
import type { ChartPoint, LimitSpan, Side } from './model.ts'

type Spot = [at: number, value: number]
/** The part of a curve beyond a limit: closed along the limit when filled. */
export interface Beyond {
  side: Side
  limit: number
  edge: Spot[]
}

/** Where the greatest values pass the upper limit and the least the lower one, each judged by the limits of its time. */
export function beyondLimits(runs: readonly Run[], limits: readonly LimitSpan[]): Beyond[] {
  return limits.flatMap((span) =>
    runs.flatMap((run) => [
      ...(span.max === null ? [] : passed(edgeOf(run, 'max', span), span.max, 'above')),
      ...(span.min === null ? [] : passed(edgeOf(run, 'min', span), span.min, 'below')),
    ]),
  )
}

const between = (a: Spot, b: Spot, at: number): Spot => [at, a[1] + ((b[1] - a[1]) * (at - a[0])) / (b[0] - a[0])]

/** The curve of `key` within the span, cut exactly at its ends. */
function edgeOf(run: Run, key: 'min' | 'max', span: LimitSpan): Spot[] {
  const spots: Spot[] = []
  let before: Spot | null = null
  for (const point of run) {
    const spot: Spot = [point.at, point[key]]
    if (before && before[0] < span.from && spot[0] > span.from) spots.push(between(before, spot, span.from))
    if (spot[0] >= span.from && spot[0] < span.to) spots.push(spot)
    if (spot[0] >= span.to) {
      if (before && spots.length > 0) spots.push(between(before, spot, span.to))
      break
    }
    before = spot
  }
  return spots
}

function passed(curve: readonly Spot[], limit: number, side: Side): Beyond[] {
  const isBeyond = (value: number) => (side === 'above' ? value > limit : value < limit)
  const found: Beyond[] = []
  let edge: Spot[] = []
  let before: Spot | null = null
  for (const spot of curve) {
    if (before && isBeyond(before[1]) !== isBeyond(spot[1])) {
      const share = (limit - before[1]) / (spot[1] - before[1])
      edge.push([before[0] + (spot[0] - before[0]) * share, limit])
    }
    if (isBeyond(spot[1])) edge.push(spot)
    else if (edge.length > 0) {
      found.push({ side, limit, edge })
      edge = []
    }
    before = spot
  }
  if (edge.length > 0) found.push({ side, limit, edge })
  return found
}

/** The limits in force at an instant. */
export const limitsAt = (limits: readonly LimitSpan[], at: number): LimitSpan | null =>
  limits.findLast((span) => span.from <= at) ?? null

/** Is any of the point's values outside the limits of its time, and on which side (above first)? */
export function sideOf(point: Pick<ChartPoint, 'at' | 'min' | 'max'>, limits: readonly LimitSpan[]): Side | null {
  const span = limitsAt(limits, point.at)
  if (span && span.max !== null && point.max > span.max) return 'above'
  if (span && span.min !== null && point.min < span.min) return 'below'
  return null
}
