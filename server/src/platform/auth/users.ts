import type { Selectable, Updateable } from 'kysely'
import type { Users } from '../db/schema.ts'
import type { Tx } from '../db/transaction.ts'

export type UserRow = Selectable<Users>

export const updateUser = (tx: Tx, companyId: number, id: string, change: Updateable<Users>): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
