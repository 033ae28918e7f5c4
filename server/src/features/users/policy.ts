import { allows, type PermissionMatrix, permissions, type Role } from '@isotherm/contract/permissions.ts'
import { needFreshProof } from '../../core/people/fresh-proof.ts'
import { matrixOf } from '../../core/people/person.ts'
import type { UserRow } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { activeAdmins, findUser } from './queries.ts'

/** Only an Admin makes, changes or removes an Admin, with a proof: else `users.addOrEdit` would be as much as the role itself. Throws ADMIN_NEEDED or PROOF_NEEDED. */
export function mayTouchRole(ctx: Context, ...roles: (Role | string | undefined)[]) {
  if (!roles.includes('admin')) return
  if (ctx.person.role !== 'admin') throw new AppError('ADMIN_NEEDED')
  needFreshProof(ctx)
}

/**
 * Non-admins may only assign roles with no more permissions than their own; otherwise they could escalate by inviting themselves. Whoever lets somebody
 * in, or changes what somebody may do, proves who they are: a thief of their session would else make a login of their own, which outlasts the session.
 * Throws ADMIN_NEEDED, PROOF_NEEDED or GRANT_EXCEEDS_OWN.
 */
export async function mayGiveRole(ctx: Context, role: Role) {
  mayTouchRole(ctx, role)
  if (role !== ctx.person.role) grantsOnlyOwn(ctx, undefined, await matrixOf(ctx.tx, ctx.companyId, role))
  needFreshProof(ctx)
}

/**
 * Refuses who was removed, or got another role, while they waited for the team: of two Admins who remove each other at once one stays. Call it with the
 * team locked. Throws UNAUTHENTICATED or FORBIDDEN.
 */
export async function isStillWho({ tx, companyId, person }: Context) {
  // A key is archived from birth, and has its rights by itself.
  if (person.key) return
  const now = await findUser(tx, companyId, person.id)
  if (!now) throw new AppError('UNAUTHENTICATED')
  if (now.role !== person.role) throw new AppError('FORBIDDEN')
}

/** Throws NOT_YOURSELF. */
export function notYourself(ctx: Context, user: UserRow) {
  if (user.id === ctx.person.id) throw new AppError('NOT_YOURSELF')
}

/** Refuses to remove the last Admin who can log in. Call it with the team locked. Throws LAST_ADMIN. */
export async function leavesAnAdmin(ctx: Context, leaving: UserRow) {
  if (leaving.role !== 'admin') return
  const admins = await activeAdmins(ctx.tx, ctx.companyId)
  if (!admins.some((id) => id !== leaving.id)) throw new AppError('LAST_ADMIN')
}

/** Nobody hands out what they do not have: only an Admin may switch on what the caller's own role lacks. Throws GRANT_EXCEEDS_OWN. */
export function grantsOnlyOwn(ctx: Context, before: PermissionMatrix | undefined, after: PermissionMatrix) {
  if (ctx.person.role === 'admin') return
  const exceeds = permissions.some((each) => allows(after, each) && !allows(before, each) && !ctx.can(each))
  if (exceeds) throw new AppError('GRANT_EXCEEDS_OWN')
}
