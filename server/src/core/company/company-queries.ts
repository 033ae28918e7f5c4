import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Companies } from '../../platform/db/schema.ts'
import { type Tx, withTenant } from '../../platform/db/transaction.ts'
import { replaceWebhookKey } from '../alerts/webhook-key.ts'
import { openWallets } from '../wallet/wallet-queries.ts'
import type { CompanyRow } from './company.ts'

/** As the login role, which takes the number of the new company; the row, and its empty wallets, are written by the company itself. */
export async function insertCompany(tx: Tx, company: Insertable<Companies>): Promise<Selectable<Companies>> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('companies', 'company_id'))::int4 as id`.execute(tx)
  const [taken] = rows
  if (!taken) throw new Error('no number for a company')
  const values = { ...company, company_id: taken.id }
  return withTenant(tx, taken.id, async () => {
    const row = await tx.insertInto('companies').values(values).returningAll().executeTakeFirstOrThrow()
    await openWallets(tx, taken.id)
    await replaceWebhookKey(tx, taken.id, row.created_at)
    return row
  })
}

/**
 * Locked until the transaction ends, so that what the audit trail calls 'before' is true. Not `for update`: every
 * row that refers to the company (an audit entry, too) would wait for it, and deadlock with who waits for the trail.
 */
export const lockCompany = (tx: Tx, companyId: number): Promise<CompanyRow> =>
  tx.selectFrom('companies').selectAll().where('company_id', '=', companyId).forNoKeyUpdate().executeTakeFirstOrThrow()

export const updateCompany = (tx: Tx, companyId: number, change: Updateable<Companies>): Promise<CompanyRow> =>
  tx.updateTable('companies').set(change).where('company_id', '=', companyId).returningAll().executeTakeFirstOrThrow()
