import { sql } from 'kysely'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'

const maxPerStatement = 5_000

/** Forgets what devices sent that could not be stored, from before an instant; some at a time, so that nobody waits for it. */
export async function forgetRejected({ pool }: Services, before: Date): Promise<number> {
  await asPipeline(pool, ({ tx }) => sql`delete from rejected_days where day < ${before}`.execute(tx))
  let removed = 0
  for (;;) {
    const { numAffectedRows = 0n } = await asPipeline(pool, ({ tx }) =>
      sql`delete from ingest_rejected where ctid = any(array(
        select ctid from ingest_rejected where received_at < ${before} limit ${maxPerStatement}))`.execute(tx),
    )
    removed += Number(numAffectedRows)
    if (numAffectedRows < maxPerStatement) return removed
  }
}
