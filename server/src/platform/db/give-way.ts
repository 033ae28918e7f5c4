import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type pg from 'pg'

/** As pg has them: the process that serves a connection, and the connection's socket. */
interface Inside {
  processID: number
  connection: { stream: { localPort?: number } }
}

/**
 * Gives the PostgreSQL process of an open connection low priority: what others ask the database for comes first. Does nothing where
 * that process runs elsewhere: on this machine its title names the port that the connection comes from. Not for transactions that
 * write: they flush the log for others, too, and everybody's commits would wait for a process that gets no processor.
 */
export function giveWay(client: pg.Client | pg.PoolClient): void {
  const { processID, connection } = client as unknown as Inside
  try {
    const title = readFileSync(`/proc/${processID}/cmdline`, 'utf8')
    const isOurs = title.startsWith('postgres: ') && title.includes(`(${connection.stream.localPort})`)
    if (isOurs) setPriority(processID, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // There is no such process here, or the system forbids it: it works all the same.
  }
}
