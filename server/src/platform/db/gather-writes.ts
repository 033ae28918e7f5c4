import type { Writable } from 'node:stream'
import type pg from 'pg'

/** Has the statements that a connection is given within one turn leave together: each would be a call of the kernel, and a wake-up of PostgreSQL. */
export function gatherWrites(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  let isGathering = false
  stream.write = (...args: unknown[]) => {
    if (!isGathering) {
      isGathering = true
      stream.cork()
      process.nextTick(() => {
        isGathering = false
        stream.uncork()
      })
    }
    return write(...args)
  }
}
