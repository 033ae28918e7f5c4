import { allows, type Role } from '@isotherm/contract/permissions.ts'
import type { TenantTx } from '../../platform/context.ts'
import { matrixOf } from '../people/person.ts'

const activeUsers = ({ tx, companyId }: TenantTx, roles: Role[]) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'locale', 'timezone'])
    .where('company_id', '=', companyId)
    .where('role', 'in', roles)
    .where('status', '=', 'active')
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()

/** The Admins who can log in. */
export const adminsOf = (of: TenantTx) => activeUsers(of, ['admin'])

/** The others who may see payments, as the roles of the company are now. */
export async function viewersOf(of: TenantTx) {
  const roles: Role[] = []
  for (const role of ['manager', 'staff'] as const)
    if (allows(await matrixOf(of.tx, of.companyId, role), 'payments.view')) roles.push(role)
  return roles.length > 0 ? activeUsers(of, roles) : []
}
