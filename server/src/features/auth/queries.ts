import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/** Does `work` and keeps what it wrote only where it says true. */
export async function tried(tx: Tx, work: () => Promise<boolean>): Promise<boolean> {
  await sql`savepoint tried`.execute(tx)
  const isKept = await work()
  if (!isKept) await sql`rollback to savepoint tried`.execute(tx)
  return isKept
}
