interface Timed {
  at: number
}

/** Index of the first item at or after `at`; the length where there is none. */
export function indexFrom(items: readonly Timed[], at: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle] as Timed).at < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the item nearest in time, the earlier of two equally near; -1 where there are none. */
export function nearestIndex(items: readonly Timed[], at: number): number {
  const after = indexFrom(items, at)
  if (after === 0) return items.length === 0 ? -1 : 0
  if (after === items.length) return after - 1
  return at - (items[after - 1] as Timed).at <= (items[after] as Timed).at - at ? after - 1 : after
}

/**
 * The point a pointer at `at` means: the nearest one. In a gap, or beyond the first or last point, only one within
 * `reachMs`: nothing is known there.
 */
export function pointedAt<T extends Timed & { afterGap?: boolean }>(
  points: readonly T[],
  at: number,
  reachMs: number,
): T | null {
  const found = points[nearestIndex(points, at)]
  if (!found) return null
  const after = points[indexFrom(points, at)]
  const isKnown = after !== undefined && after !== points[0] && !after.afterGap
  return isKnown || Math.abs(found.at - at) <= reachMs ? found : null
}
