import { takeDueSteps } from '../../core/alarms/trigger-sql.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

/** Ends snoozes, reminds and escalates, as far as it is time. */
export const applyDueSteps = (pool: Pool, now: Date): Promise<void> =>
  asPipeline(pool, ({ tx }) => takeDueSteps(tx, now))
