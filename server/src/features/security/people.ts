import { endSessionsOf } from '../../core/people/accounts.ts'
import { securityEvent, securityMail } from '../../core/people/security-mail.ts'
import type { UserRow } from '../../core/people/users.ts'
import { factorsOf, hasFactor, peopleWithFactor, removeFactors } from '../../platform/auth/factors.ts'
import { identityOf } from '../../platform/auth/identities.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { findMember } from './queries.ts'

const targetOf = ({ id, fullname }: UserRow) => ({ kind: 'user', id, name: fullname })

/** The team members who have a second factor. */
export const findWithFactor = ({ tx, companyId }: Context): Promise<string[]> =>
  withLogin(tx, () => peopleWithFactor(tx, companyId))

/** Ends all sessions of a team member. Throws NOT_FOUND. */
export async function endSessionsOfMember(ctx: Context, id: string): Promise<void> {
  const user = orNotFound(await findMember(ctx, id))
  await endSessionsOf(ctx, user.id)
  ctx.audit({ action: 'users.sessionsEnded', target: targetOf(user) })
}

/**
 * Takes the second factor of another Admin or team member away, who lost it, and ends their sessions: the next login is by the password alone. Throws
 * NOT_FOUND, NOT_YOURSELF or SECOND_FACTOR_OFF.
 */
export async function resetSecondFactor(ctx: Context, id: string): Promise<void> {
  const { tx, companyId, person, origin, clock } = ctx
  const user = orNotFound(await findMember(ctx, id))
  if (user.id === person.id) throw new AppError('NOT_YOURSELF')
  const had = await withLogin(tx, async () => {
    const identity = await identityOf(tx, companyId, user.id)
    if (!identity || !hasFactor(await factorsOf(tx, identity.id))) return false
    await removeFactors(tx, identity.id)
    return true
  })
  if (!had) throw new AppError('SECOND_FACTOR_OFF')
  await endSessionsOf(ctx, user.id)
  ctx.audit({ action: 'users.secondFactorReset', target: targetOf(user) })
  const about = { origin, at: clock.now(), name: person.fullname }
  await ctx.enqueue(securityMail, securityEvent({ companyId, userId: user.id }, 'factorReset', about))
}
