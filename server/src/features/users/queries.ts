import { defaultMatrix, type PermissionMatrix, type Role, roles } from '@isotherm/contract/permissions.ts'
import type { UserQuery, UserSelection } from '@isotherm/contract/users.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { UserRow } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import { countFilters, valuesOf } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'
import type { Tx } from '../../platform/db/transaction.ts'

const team = (tx: Tx, companyId: number) =>
  tx.selectFrom('users').where('company_id', '=', companyId).where('archived_at', 'is', null)

// Text is kept in code-point order: without `lower`, every small letter would come after Z.
const columns = {
  fullname: sql`lower(fullname)`,
  email: sql`email`,
  role: sql`role`,
  lastLoginAt: sql`last_login_at`,
}

type Selection = z.output<typeof UserSelection>

function foundUsers(tx: Tx, companyId: number, { role, search }: Selection) {
  let found = team(tx, companyId)
  if (role) found = found.where('role', '=', role)
  if (search) {
    const pattern = containing(search)
    found = found.where((where) => where.or([where('fullname', 'ilike', pattern), where('email', 'ilike', pattern)]))
  }
  return found
}

function sortedUsers(tx: Tx, companyId: number, selection: Selection) {
  const descending = selection.sort.startsWith('-')
  const column = columns[selection.sort.replace('-', '') as keyof typeof columns]
  return foundUsers(tx, companyId, selection)
    .selectAll()
    .orderBy(column, (order) => (descending ? order.desc() : order.asc()).nullsLast())
    .orderBy('id')
}

/** One page of the team, and how many there are in all. */
export async function listUsers(tx: Tx, companyId: number, query: z.output<typeof UserQuery>) {
  const found = foundUsers(tx, companyId, query)
  const { total } = await found.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await sortedUsers(tx, companyId, query)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute()
  return { rows, total: Number(total) }
}

/** How many people each role would leave of those whom the search finds. */
export function userCounts(tx: Tx, companyId: number, { search, role }: z.output<typeof UserQuery>) {
  const pattern = containing(search ?? '')
  const from = sql`users where company_id = ${companyId} and archived_at is null
    and (${!search} or fullname ilike ${pattern} or email ilike ${pattern})`
  return countFilters(tx, from, { role: { options: valuesOf('role', roles), chosen: role } })
}

/** All people whom a list would show on its pages. */
export const usersOf = (tx: Tx, companyId: number, selection: Selection): Promise<UserRow[]> =>
  sortedUsers(tx, companyId, selection).execute()

export const findUser = (tx: Tx, companyId: number, id: string): Promise<UserRow | undefined> =>
  team(tx, companyId).selectAll().where('id', '=', id).executeTakeFirst()

/** One change of who is in the team, or is Admin, at a time: the next waits here, then sees what this one did. */
export const lockTeam = (tx: Tx, companyId: number) =>
  tx.selectFrom('companies').select('name').where('company_id', '=', companyId).forNoKeyUpdate().execute()

/** The Admins who can log in. */
export async function activeAdmins(tx: Tx, companyId: number): Promise<string[]> {
  const rows = await team(tx, companyId)
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  return rows.map((row) => row.id)
}

/** Makes sure of the row, with the defaults, and locks it: of two who save at once the second sees what the first did. */
export const lockRole = (tx: Tx, companyId: number, role: 'manager' | 'staff') =>
  tx
    .insertInto('role_permissions')
    .values({ company_id: companyId, role, matrix: JSON.stringify(defaultMatrix[role]) })
    .onConflict((conflict) => conflict.columns(['company_id', 'role']).doUpdateSet({ role: sql.ref('excluded.role') }))
    .execute()

export const updateRole = ({ tx, companyId, clock }: Context, role: Role, matrix: PermissionMatrix, version: number) =>
  tx
    .updateTable('role_permissions')
    .set({ matrix: JSON.stringify(matrix), version, updated_at: clock.now() })
    .where('company_id', '=', companyId)
    .where('role', '=', role)
    .execute()
