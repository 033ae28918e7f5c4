import type { Insertable, Selectable } from 'kysely'
import type { UserRow } from '../../platform/auth/users.ts'
import type { Companies, Users } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** As the login role: nobody can speak for a company that is not there yet. */
export const insertCompany = (tx: Tx, company: Insertable<Companies>): Promise<Selectable<Companies>> =>
  tx.insertInto('companies').values(company).returningAll().executeTakeFirstOrThrow()

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
