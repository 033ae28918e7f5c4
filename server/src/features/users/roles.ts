import { type PermissionMatrix, Role, roles } from '@isotherm/contract/permissions.ts'
import type { RoleMatrix } from '@isotherm/contract/users.ts'
import { roleOf } from '../../core/people/person.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { grantsOnlyOwn } from './policy.ts'
import { lockRole, updateRole } from './queries.ts'

const named = (name: string): Role => {
  const role = Role.safeParse(name)
  if (!role.success) throw new AppError('NOT_FOUND')
  return role.data
}

/** One role with its permissions; `name` in lower case. Throws NOT_FOUND. */
export async function findRole(ctx: Context, name: string): Promise<RoleMatrix> {
  const role = named(name)
  return { role, ...(await roleOf(ctx.tx, ctx.companyId, role)) }
}

export async function listRoles(ctx: Context): Promise<RoleMatrix[]> {
  const found: RoleMatrix[] = []
  for (const role of roles) found.push(await findRole(ctx, role))
  return found
}

/**
 * Saves a role's permissions; they count from the next request of everyone with that role. `seen`: the version that the change was made
 * from. Throws NOT_FOUND, ADMIN_READ_ONLY, CHANGED_MEANWHILE or GRANT_EXCEEDS_OWN.
 */
export async function changeRole(
  ctx: Context,
  name: string,
  after: PermissionMatrix,
  seen?: number,
): Promise<RoleMatrix> {
  const role = named(name)
  if (role === 'admin') throw new AppError('ADMIN_READ_ONLY')
  await lockRole(ctx.tx, ctx.companyId, role)
  const { modulePermissions: before, version } = await roleOf(ctx.tx, ctx.companyId, role)
  refuseOutdated({ name: translate(ctx.locale, `users:roles.${role}`), version }, seen)
  grantsOnlyOwn(ctx, before, after)
  await updateRole(ctx, role, after, version + 1)
  ctx.audit({
    action: 'users.roleChanged',
    target: { kind: 'role', id: role, name: role },
    ...changesOf(before, after),
  })
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'permissions', data: { role } }))
  return { role, modulePermissions: after, version: version + 1 }
}
