import { expect } from 'vitest'
import type { Pool } from '../src/platform/db/pool.ts'

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Resolves once so many connections to the test's own database wait for a lock. */
export const lockWaits = (pool: Pool, count = 1): Promise<void> =>
  expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 30_000 }).toBe(count)
