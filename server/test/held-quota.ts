import { expect } from 'vitest'
import { refuseOverQuota } from '../src/core/quotas/quotas.ts'
import type { QuotaName } from '../src/platform/config/quotas.ts'
import { inTenant } from '../src/platform/db/transaction.ts'
import type { TestApp } from './harness.ts'

/** Keeps others of a company waiting that add to a quota, until `release`. */
export async function holdQuota(t: Pick<TestApp, 'pool' | 'services' | 'clock'>, companyId: number, name: QuotaName) {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { pool, services, clock } = t
  const holding = inTenant(pool, companyId, async ({ tx }) => {
    await refuseOverQuota({ tx, companyId, services, clock }, name, 0)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, holding])
  return {
    /** Resolves once so many connections of this database wait for a lock. */
    async waitFor(connections: number) {
      const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await pool.query(waiting)).rows[0].n, { timeout: 15_000 }).toBe(connections)
    },
    async release() {
      released.resolve()
      await holding
    },
  }
}
