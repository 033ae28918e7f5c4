import { defaultMatrix, type PermissionMatrix, Role, roles } from '@isotherm/contract/permissions.ts'
import type { RoleMatrix } from '@isotherm/contract/users.ts'
import { sql } from 'kysely'
import { changesOf } from '../../platform/audit/changes.ts'
import { matrixOf } from '../../platform/auth/person.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { grantsOnlyOwn } from './policy.ts'

const named = (name: string): Role => {
  const role = Role.safeParse(name)
  if (!role.success) throw new AppError('NOT_FOUND')
  return role.data
}

/** One role with its permissions; `name` in lower case. */
export async function findRole(ctx: Context, name: string): Promise<RoleMatrix> {
  const role = named(name)
  return { role, modulePermissions: await matrixOf(ctx.tx, ctx.companyId, role) }
}

export async function listRoles(ctx: Context): Promise<RoleMatrix[]> {
  const found: RoleMatrix[] = []
  for (const role of roles) found.push(await findRole(ctx, role))
  return found
}

/** Saves a role's permissions; they count from the next request of everyone with that role. */
export async function changeRole(ctx: Context, name: string, after: PermissionMatrix): Promise<RoleMatrix> {
  const role = named(name)
  if (role === 'admin') throw new AppError('ADMIN_READ_ONLY')
  await lockRole(ctx.tx, ctx.companyId, role)
  const before = await matrixOf(ctx.tx, ctx.companyId, role)
  grantsOnlyOwn(ctx, before, after)
  await ctx.tx
    .updateTable('role_permissions')
    .set({ matrix: JSON.stringify(after), updated_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('role', '=', role)
    .execute()
  ctx.audit({
    action: 'users.roleChanged',
    target: { kind: 'role', id: role, name: role },
    ...changesOf(before, after),
  })
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'permissions', data: { role } }))
  return { role, modulePermissions: after }
}

/** Makes sure of the row, with the defaults, and locks it: of two who save at once the second sees what the first did. */
async function lockRole(tx: Tx, companyId: number, role: 'manager' | 'staff') {
  await tx
    .insertInto('role_permissions')
    .values({ company_id: companyId, role, matrix: JSON.stringify(defaultMatrix[role]) })
    .onConflict((conflict) => conflict.columns(['company_id', 'role']).doUpdateSet({ role: sql.ref('excluded.role') }))
    .execute()
}
