import { sql } from 'kysely'
import { asRoad } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'

const atOnce = 5_000

/** Forgets what devices sent that could not be stored, from before an instant; some at a time, so that nobody waits for it. */
export async function forgetRejected({ pool }: Services, before: Date): Promise<number> {
  await asRoad(pool, ({ tx }) => sql`delete from rejected_days where day < ${before}`.execute(tx))
  let removed = 0
  for (;;) {
    const { numAffectedRows = 0n } = await asRoad(pool, ({ tx }) =>
      sql`delete from ingest_rejected where ctid = any(array(
        select ctid from ingest_rejected where received_at < ${before} limit ${atOnce}))`.execute(tx),
    )
    removed += Number(numAffectedRows)
    if (numAffectedRows < atOnce) return removed
  }
}
