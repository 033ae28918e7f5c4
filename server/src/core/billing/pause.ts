import { writeAudit } from '../../platform/audit/audit.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { companiesPaused, lockAccount, setPaused } from './account-queries.ts'

const about = (name: 'provider' | 'restore', at: Date) => ({
  actor: { kind: 'system' as const, name },
  origin: { address: '', agent: name, requestId: '' },
  at,
})

/**
 * Stops what charges by itself, or lets it go on, for one company or for all that have an account; how many were changed. While an account is
 * paused no card of its is charged without a person, and no plan of its expires.
 */
export async function pauseBilling(
  pool: Pool,
  { isPaused, by, companyId }: { isPaused: boolean; by: 'provider' | 'restore'; companyId?: number | undefined },
  now: Date,
): Promise<number> {
  const found = await asPipeline(pool, ({ tx }) => companiesPaused(tx, !isPaused))
  const wanted = found.filter((id) => companyId === undefined || id === companyId)
  for (const id of wanted)
    await inTenant(pool, id, async ({ tx }) => {
      const of = { tx, companyId: id }
      const account = await lockAccount(of)
      if (!account || (account.paused_at !== null) === isPaused) return
      await setPaused(of, isPaused ? now : null)
      await writeAudit(tx, id, about(by, now), [
        {
          action: isPaused ? 'billing.paused' : 'billing.resumed',
          target: { kind: 'company', id: String(id), name: account.name },
        },
      ])
    })
  return wanted.length
}
