/** Runs of work given to it at most so many at once; the others wait, in order. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next one takes this slot: `running` stays.
      if (next) next()
      else running--
    }
  }
}
