import pg from 'pg'
import type { Client, Pool } from './pool.ts'

/*
 * A server of the version before goes on while the first one of a new version migrates. A column that a table gets changes the result of each
 * statement that asks for all columns, and PostgreSQL refuses to run such a statement on a connection that has prepared it before. All
 * connections of before are ended then: a new one prepares it anew.
 */
let era = 0
const eraOf = new WeakMap<Client, number>()

/** Whether PostgreSQL refuses a prepared statement because its result has other columns by now. Nothing of the transaction was written. */
export const isStalePlan = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** From now on no transaction gets a connection that is as old as `client`. */
export function noteStalePlan(client: Client): void {
  if (eraOf.get(client) === era) era++
}

/** A connection of the pool that no stale plan was met on, or beside. */
export async function connectFresh(pool: Pool): Promise<Client> {
  for (;;) {
    const client = await pool.connect()
    const born = eraOf.get(client) ?? era
    eraOf.set(client, born)
    if (born === era) return client
    client.release(true)
  }
}
