import { defaultMatrix, PermissionMatrix, type Role } from '@isotherm/contract/permissions.ts'
import type { Tx } from '../db/transaction.ts'
import type { Person } from '../http/context.ts'

/** What a role may do in this company now: its saved matrix, else the defaults. In the tenant's transaction. */
export async function matrixOf(tx: Tx, companyId: number, role: Role): Promise<PermissionMatrix> {
  if (role === 'admin') return defaultMatrix.admin
  const row = await tx
    .selectFrom('role_permissions')
    .select('matrix')
    .where('company_id', '=', companyId)
    .where('role', '=', role)
    .executeTakeFirst()
  return row ? PermissionMatrix.parse(row.matrix) : defaultMatrix[role]
}

/** The person behind a session with their language, or undefined once archived. In the tenant's transaction. */
export async function loadPerson(
  tx: Tx,
  companyId: number,
  session: { userId: string; identityId: string },
): Promise<(Person & { locale: string }) | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'fullname', 'email', 'role', 'locale'])
    .where('company_id', '=', companyId)
    .where('id', '=', session.userId)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!user) return undefined
  const role = user.role as Role
  return { ...user, role, identityId: session.identityId, permissions: await matrixOf(tx, companyId, role) }
}
