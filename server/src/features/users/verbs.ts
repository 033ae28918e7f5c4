import type { Role } from '@isotherm/contract/permissions.ts'
import { findCompany } from '../../core/company/company.ts'
import { closeAccount, endSessionsOf } from '../../core/people/accounts.ts'
import { needFreshProof } from '../../core/people/fresh-proof.ts'
import { insertInvited, type UserRow, updateUser } from '../../core/people/users.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { linkLifetimeMs } from '../../platform/auth/mail-links.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { invitationWanted } from './jobs.ts'
import { isStillWho, leavesAnAdmin, mayGiveRole, mayTouchRole, notYourself } from './policy.ts'
import { presentUser, target } from './present.ts'
import { findUser, lockTeam } from './queries.ts'

async function load(ctx: Context, id: string): Promise<UserRow> {
  await lockTeam(ctx.tx, ctx.companyId)
  await isStillWho(ctx)
  return orNotFound(await findUser(ctx.tx, ctx.companyId, id))
}

const invitationEnd = (ctx: Context) => new Date(ctx.clock.now().getTime() + linkLifetimeMs.invite)

/**
 * Adds a team member and mails the invitation. Throws EMAIL_TAKEN where somebody of the company has the address; where somebody
 * elsewhere has it, the answer is the same as always, and they get another mail. Throws ADMIN_NEEDED, PROOF_NEEDED, GRANT_EXCEEDS_OWN
 * or QUOTA_EXCEEDED.
 */
export async function inviteUser(ctx: Context, input: { fullname: string; email: string; role: Role }) {
  await mayGiveRole(ctx, input.role)
  const { timezone, locale } = await findCompany(ctx.tx, ctx.companyId)
  await refuseOverQuota(ctx, 'users')
  const about = { timezone, locale, now: ctx.clock.now(), invitationEndsAt: invitationEnd(ctx) }
  const user = await insertInvited(ctx.tx, ctx.companyId, { ...input, ...about })
  if (!user) throw new AppError('EMAIL_TAKEN')
  await ctx.enqueue(invitationWanted, { companyId: ctx.companyId, userId: user.id })
  ctx.audit({ action: 'users.invited', target: target(user), after: { email: user.email, role: user.role } })
  return user
}

/** Mails the invitation again; the links mailed before stop working. Throws NOT_FOUND, ADMIN_NEEDED, PROOF_NEEDED or ALREADY_ACTIVE. */
export async function inviteUserAgain(ctx: Context, id: string) {
  const user = await load(ctx, id)
  mayTouchRole(ctx, user.role)
  needFreshProof(ctx)
  if (user.status !== 'invited') throw new AppError('ALREADY_ACTIVE')
  await updateUser(ctx.tx, ctx.companyId, id, { invitation_ends_at: invitationEnd(ctx) })
  await ctx.enqueue(invitationWanted, { companyId: ctx.companyId, userId: id })
  ctx.audit({ action: 'users.invitedAgain', target: target(user) })
}

/**
 * Changes name or role. A new role ends the person's sessions: what they may do is read at the next login. Throws NOT_FOUND,
 * ADMIN_NEEDED, PROOF_NEEDED, GRANT_EXCEEDS_OWN, NOT_YOURSELF or LAST_ADMIN.
 */
export async function changeUser(ctx: Context, id: string, input: { fullname?: string; role?: Role }) {
  const before = await load(ctx, id)
  const newRole = input.role === before.role ? undefined : input.role
  if (newRole) {
    mayTouchRole(ctx, before.role)
    await mayGiveRole(ctx, newRole)
    notYourself(ctx, before)
    await leavesAnAdmin(ctx, before)
  } else if (before.id !== ctx.person.id) mayTouchRole(ctx, before.role)
  const after = await updateUser(ctx.tx, ctx.companyId, id, { fullname: before.fullname, ...input })
  if (newRole) await endSessionsOf(ctx, id)
  ctx.audit({ action: 'users.changed', target: target(after), ...changesOf(presentUser(before), presentUser(after)) })
  return after
}

/**
 * Removes a team member: archived, so that evidence keeps the name; logged out at once, and the address is free again. Throws
 * NOT_FOUND, ADMIN_NEEDED, PROOF_NEEDED, NOT_YOURSELF or LAST_ADMIN.
 */
export async function removeUser(ctx: Context, id: string) {
  const user = await load(ctx, id)
  mayTouchRole(ctx, user.role)
  notYourself(ctx, user)
  await leavesAnAdmin(ctx, user)
  await updateUser(ctx.tx, ctx.companyId, id, { archived_at: ctx.clock.now() })
  await closeAccount(ctx, id)
  ctx.audit({ action: 'users.removed', target: target(user), before: { email: user.email, role: user.role } })
}
