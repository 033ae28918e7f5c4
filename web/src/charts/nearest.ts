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

/** The item nearest in time, if it is no further away than `withinMs`. */
export function nearest<T extends Timed>(
  items: readonly T[],
  at: number,
  withinMs = Number.POSITIVE_INFINITY,
): T | null {
  const found = items[nearestIndex(items, at)]
  return found && Math.abs(found.at - at) <= withinMs ? found : null
}
