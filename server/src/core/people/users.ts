import type { Role } from '@isotherm/contract/permissions.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Context, ViewerTx } from '../../platform/context.ts'
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

export const insertUser = (tx: Tx, user: Insertable<Users>): Promise<UserRow> =>
  tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

export const findUser = (tx: Tx, companyId: number, id: string): Promise<UserRow> =>
  tx.selectFrom('users').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirstOrThrow()

/** Those of these people who are in the team. */
export async function usersAmong({ tx, companyId }: ViewerTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', companyId)
    .where('archived_at', 'is', null)
    .where('id', 'in', ['0', ...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const countLogin = (tx: Tx, companyId: number, id: string, now: Date): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set((row) => ({ login_count: row('login_count', '+', 1), last_login_at: now }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** A person who is invited; undefined where the company has somebody with this mail address. */
export const insertInvited = (
  tx: Tx,
  companyId: number,
  user: {
    fullname: string
    email: string
    role: Role
    timezone: string
    locale: string
    now: Date
    invitationEndsAt: Date
  },
): Promise<UserRow | undefined> => {
  const { now, invitationEndsAt, ...rest } = user
  return tx
    .insertInto('users')
    .values({
      ...rest,
      company_id: companyId,
      status: 'invited',
      created_at: now,
      invitation_ends_at: invitationEndsAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}
