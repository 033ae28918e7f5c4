import { type Insertable, type Selectable, sql } from 'kysely'
import { replaceWebhookKey } from '../../core/alerts/webhook-key.ts'
import type { UserRow } from '../../core/people/users.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Companies, Users } from '../../platform/db/schema.ts'
import { type Tx, withTenant } from '../../platform/db/transaction.ts'

/** Does `work` and keeps what it wrote only where it says true. */
export async function tried(tx: Tx, work: () => Promise<boolean>): Promise<boolean> {
  await sql`savepoint tried`.execute(tx)
  const isKept = await work()
  if (!isKept) await sql`rollback to savepoint tried`.execute(tx)
  return isKept
}

/** As the login role, which takes the number of the new company; the row, and its empty wallets, are written by the company itself. */
export async function insertCompany(tx: Tx, company: Insertable<Companies>): Promise<Selectable<Companies>> {
  const taken = await firstRow<{ id: number }>(tx)`
    select nextval(pg_get_serial_sequence('companies', 'company_id'))::int4 as id`
  if (!taken) throw new Error('no number for a company')
  const values = { ...company, company_id: taken.id }
  return withTenant(tx, taken.id, async () => {
    const row = await tx.insertInto('companies').values(values).returningAll().executeTakeFirstOrThrow()
    const wallets = (['sms', 'chat'] as const).map((kind) => ({ company_id: taken.id, kind }))
    await tx.insertInto('wallets').values(wallets).execute()
    await replaceWebhookKey(tx, taken.id, row.created_at)
    return row
  })
}

export const insertUser = (tx: Tx, user: Insertable<Users>): Promise<UserRow> =>
  tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

export const findUser = (tx: Tx, companyId: number, id: string): Promise<UserRow> =>
  tx.selectFrom('users').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirstOrThrow()

export const countLogin = (tx: Tx, companyId: number, id: string, now: Date): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set((row) => ({ login_count: row('login_count', '+', 1), last_login_at: now }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
