import { defaultMatrix, PermissionMatrix, type Role } from '@isotherm/contract/permissions.ts'
import type { Caller } from '../../platform/auth/people.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** The rights of a role in this company now: its saved matrix, else the defaults. In the tenant's transaction. */
export const matrixOf = async (tx: Tx, companyId: number, role: Role): Promise<PermissionMatrix> =>
  (await roleOf(tx, companyId, role)).modulePermissions

/** The rights of a role, and the number of its changes: 1 for one that was never changed. */
export async function roleOf(tx: Tx, companyId: number, role: Role) {
  const row = await tx
    .selectFrom('role_permissions')
    .select(['matrix', 'version'])
    .where('company_id', '=', companyId)
    .where('role', '=', role)
    .executeTakeFirst()
  return { modulePermissions: permissionsOf(role, row?.matrix), version: row?.version ?? 1 }
}

/** The rights that a saved matrix gives a role; an Admin's stay as they are. */
export const permissionsOf = (role: Role, saved: unknown): PermissionMatrix =>
  role === 'admin' || !saved ? defaultMatrix[role] : PermissionMatrix.parse(saved)

/** The person behind a session with their language, or undefined once archived. In the tenant's transaction. */
export async function loadPerson(
  tx: Tx,
  companyId: number,
  session: { userId: string; identityId: string },
): Promise<Caller | undefined> {
  const user = await tx
    .selectFrom('users as u')
    .leftJoin('role_permissions as p', (join) =>
      join.onRef('p.company_id', '=', 'u.company_id').onRef('p.role', '=', 'u.role'),
    )
    .select(['u.id', 'u.fullname', 'u.email', 'u.role', 'u.locale', 'p.matrix'])
    .where('u.company_id', '=', companyId)
    .where('u.id', '=', session.userId)
    .where('u.archived_at', 'is', null)
    .executeTakeFirst()
  if (!user) return undefined
  const { matrix, ...person } = user
  const role = user.role as Role
  return { ...person, role, identityId: session.identityId, permissions: permissionsOf(role, matrix) }
}
