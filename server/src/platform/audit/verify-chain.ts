import type { Selectable } from 'kysely'
import type { AuditLog } from '../db/schema.ts'
import type { Tx } from '../db/transaction.ts'
import { type Actor, type Chained, chainHash, genesis, type Origin } from './audit.ts'

/** `brokenAt`: the first entry that is missing, moved, added or changed. */
export type ChainState = { whole: true; entries: number } | { whole: false; entries: number; brokenAt: number }

const batch = 1_000

/**
 * Recomputes the company's audit trail from its first entry. Finds every edit, loss, insertion and reordering, and a
 * cut tail by the head that is kept apart. In the tenant's transaction (or the road's).
 */
export async function verifyChain(tx: Tx, companyId: number): Promise<ChainState> {
  let previous: Buffer = genesis
  let seq = 0
  for (;;) {
    const rows = await tx
      .selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('seq', '>', String(seq))
      .orderBy('seq')
      .limit(batch)
      .execute()
    for (const row of rows) {
      const follows = Number(row.seq) === seq + 1 && row.prev_hash.equals(previous)
      if (!follows || !chainHash(previous, companyId, entryOf(row)).equals(row.hash))
        return { whole: false, entries: seq, brokenAt: seq + 1 }
      previous = row.hash
      seq += 1
    }
    if (rows.length < batch) break
  }
  const head = await tx
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  const complete = head ? Number(head.seq) === seq && head.hash.equals(previous) : seq === 0
  return complete ? { whole: true, entries: seq } : { whole: false, entries: seq, brokenAt: seq + 1 }
}

/** The entry as it was hashed: what was not given is absent, not null. */
const entryOf = (row: Selectable<AuditLog>): Chained => ({
  seq: Number(row.seq),
  at: row.at.toISOString(),
  actor: row.actor as unknown as Actor,
  origin: row.origin as unknown as Origin,
  action: row.action,
  ...(row.target === null ? {} : { target: row.target as unknown as NonNullable<Chained['target']> }),
  ...(row.before === null ? {} : { before: row.before as Record<string, unknown> }),
  ...(row.after === null ? {} : { after: row.after as Record<string, unknown> }),
  ...(row.reason === null ? {} : { reason: row.reason }),
})
