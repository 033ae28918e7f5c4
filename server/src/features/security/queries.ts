import { sql } from 'kysely'
import type { UserRow } from '../../core/people/users.ts'
import type { TenantTx } from '../../platform/context.ts'

const team = ({ tx, companyId }: TenantTx) =>
  tx.selectFrom('users').where('company_id', '=', companyId).where('archived_at', 'is', null)

/** How many people the company has who can log in. */
export async function countPeople(of: TenantTx): Promise<number> {
  const { count } = await team(of)
    .where('status', '=', 'active')
    .select(sql<string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Those of the team who can log in. */
export async function activePeople(of: TenantTx): Promise<string[]> {
  const rows = await team(of).where('status', '=', 'active').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export const findMember = (of: TenantTx, id: string): Promise<UserRow | undefined> =>
  team(of).selectAll().where('id', '=', id).executeTakeFirst()
