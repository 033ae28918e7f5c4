import type { Selectable, Updateable } from 'kysely'
import type { Context } from '../../platform/context.ts'
import type { Users } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type UserRow = Selectable<Users>

export const updateUser = (tx: Tx, companyId: number, id: string, change: Updateable<Users>): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The time zone that the person who calls reads times in. */
export async function zoneOf({ tx, companyId, person }: Pick<Context, 'tx' | 'companyId' | 'person'>): Promise<string> {
  const { timezone } = await tx
    .selectFrom('users')
    .select('timezone')
    .where('company_id', '=', companyId)
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return timezone
}
