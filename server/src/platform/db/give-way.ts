import { constants } from 'node:os'
import type pg from 'pg'
import { lowerPriority } from '../priority.ts'
import { localProcess } from './local-process.ts'

/**
 * Gives the PostgreSQL process of an open connection low priority: what others ask the database for comes first. Does nothing where
 * that process runs elsewhere. Not for transactions that write: they flush the log for others, too, and everybody's commits would
 * wait for a process that gets no processor.
 */
export function giveWay(client: pg.Client | pg.PoolClient): void {
  const pid = localProcess(client)
  if (pid !== null) lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
}
