import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The most processor time, ms, that one turn of this thread's event loop took while some work was under way: for so long nobody
 * else was served. Time in which other processes had the processor does not count, so that a busy machine does not matter.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before)
    most = Math.max(most, (user + system) / 1000)
    before = process.threadCpuUsage()
    // It runs at the end of each turn; without `unref` it would make turns itself, and keep a processor busy while the work waits.
    if (!isOver) setImmediate(turn).unref()
  }
  turn()
  try {
    await work()
  } finally {
    // The turn in which the work ended counts as well.
    await nextTurn()
    isOver = true
  }
  return most
}
