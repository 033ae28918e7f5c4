/** The index of the first item after an instant, of items in the order of time; their number where there is none. */
export function firstAfter(items: readonly { at: number }[], at: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.at ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}
