import { allows, type Role } from '@isotherm/contract/permissions.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import { matrixOf } from '../people/person.ts'
import { findAccount } from './account-queries.ts'

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

/** The address for invoices with its zone, unless it is that of somebody who has left the company. */
export async function invoiceAddressOf(of: TenantTx): Promise<{ email: string; zone: string } | undefined> {
  const account = await findAccount(of)
  if (!account?.email) return undefined
  const { hasLeft } = (await firstRow<{ hasLeft: boolean | null }>(of.tx)`
    select bool_and(archived_at is not null) as "hasLeft" from users
    where company_id = ${of.companyId} and lower(email) = lower(${account.email})`) ?? { hasLeft: false }
  return hasLeft ? undefined : { email: account.email, zone: account.zone }
}

/** The others who may see payments, as the roles of the company are now. */
export async function viewersOf(of: TenantTx) {
  const roles: Role[] = []
  for (const role of ['manager', 'staff'] as const)
    if (allows(await matrixOf(of.tx, of.companyId, role), 'payments.view')) roles.push(role)
  return roles.length > 0 ? activeUsers(of, roles) : []
}
