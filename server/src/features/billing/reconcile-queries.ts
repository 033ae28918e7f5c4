import type { Pool } from '../../platform/db/pool.ts'
import { asLogin } from '../../platform/db/transaction.ts'

/** When a payment provider's payments were last gone through to the end; null: never. */
export const reconciledAt = (pool: Pool, provider: string): Promise<Date | null> =>
  asLogin(pool, async ({ tx }) => {
    const query = tx.selectFrom('reconciliations').select('done_at').where('provider', '=', provider)
    return (await query.executeTakeFirst())?.done_at ?? null
  })

export const noteReconciled = (pool: Pool, provider: string, done_at: Date) =>
  asLogin(pool, ({ tx }) =>
    tx
      .insertInto('reconciliations')
      .values({ provider, done_at })
      .onConflict((conflict) => conflict.column('provider').doUpdateSet({ done_at }))
      .execute(),
  )
