/**
 * The most processor time, ms, that one turn of this thread's event loop took while some work was under way: for so long nobody
 * else was served. Time in which other processes had the processor does not count, so that a busy machine does not matter.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const turns = new Promise<void>((resolve) => {
    const turn = () => {
      const { user, system } = process.threadCpuUsage(before)
      most = Math.max(most, (user + system) / 1000)
      before = process.threadCpuUsage()
      if (isOver) resolve()
      else setImmediate(turn)
    }
    setImmediate(turn)
  })
  try {
    await work()
  } finally {
    isOver = true
    await turns
  }
  return most
}
