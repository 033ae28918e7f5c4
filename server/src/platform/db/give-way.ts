import { readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type pg from 'pg'

/** As pg has them: the process that serves a connection, and the connection's socket. */
interface Inside {
  processID: number
  connection: { stream: { localPort?: number } }
}

const lower = constants.priority.PRIORITY_BELOW_NORMAL

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
    if (!isOurs) return
    setPriority(processID, lower)
    lowerGroup(processID)
  } catch {
    // There is no such process here, or the system forbids it: it works all the same.
  }
}

/**
 * Linux may make a scheduling group of each session (`kernel.sched_autogroup_enabled`); then a priority counts within the group only. Each process of
 * PostgreSQL has a session of its own, so its group gets the priority as well.
 */
function lowerGroup(pid: number) {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name in brackets: state, parent, process group, session.
  const session = status.slice(status.lastIndexOf(')') + 2).split(' ')[3]
  if (session === String(pid)) writeFileSync(`/proc/${pid}/autogroup`, String(lower))
}
