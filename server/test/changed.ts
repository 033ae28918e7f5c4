import type pg from 'pg'
import type { Pool } from '../src/platform/db/pool.ts'
import { inTenant, type Transaction } from '../src/platform/db/transaction.ts'

/** Writes the settings changes of whatever a test changed in a company without its verbs. */
const noteAll = (client: Pick<pg.ClientBase, 'query'>, companyId: number) =>
  client.query(
    `insert into settings_changes (subject)
     select 'company:' || $1::int4 union select 'imei:' || imei from assignments where company_id = $1::int4`,
    [companyId],
  )

/** Changes rows as a company's own people would, past the verbs: the pipeline hears of it. */
export const changing = <T>(
  pool: Pool,
  companyId: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inTenant(pool, companyId, async (transaction) => {
    const result = await work(transaction)
    await noteAll(transaction.client, companyId)
    return result
  })
