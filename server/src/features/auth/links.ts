import { findCompany } from '../../core/company/company.ts'
import { endPushes } from '../../core/people/push-subscriptions.ts'
import { findUser, updateUser } from '../../core/people/users.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { markVerified, setPassword } from '../../platform/auth/identities.ts'
import { networkOf, rememberNetwork } from '../../platform/auth/known-networks.ts'
import { consumeLink, endLinks, findLink, type Link, type LinkPurpose } from '../../platform/auth/mail-links.ts'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { hashPassword } from '../../platform/auth/passwords.ts'
import { endSessions } from '../../platform/auth/sessions.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asLogin, type Tx, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { linkJob, linkWanted } from './jobs.ts'
import { actorOf, targetOf } from './present.ts'

/** Asks for a link by mail; the caller is not told whether the address is known. */
export const wantLink = (ctx: PublicContext, email: string, purpose: 'verify' | 'reset'): Promise<void> =>
  asLogin(ctx.services.pool, async ({ tx, client }) =>
    ctx.services.enqueue(client, linkWanted, await linkJob(tx, email, purpose)),
  )

async function find(ctx: PublicContext, tx: Tx, token: string, purpose: LinkPurpose): Promise<Link> {
  const link = await findLink(tx, token, purpose, ctx.clock.now())
  if (!link) throw new AppError('LINK_INVALID')
  return link
}

async function findUnused(ctx: PublicContext, tx: Tx, token: string, purpose: LinkPurpose): Promise<Link> {
  const link = await find(ctx, tx, token, purpose)
  if (link.usedAt) throw new AppError('LINK_INVALID')
  return link
}

/** The person of a reset link or an invitation, while it can be used. Looking does not use it up. Throws LINK_INVALID. */
export const checkLink = (ctx: PublicContext, token: string, purpose: 'reset' | 'invite') =>
  asLogin(ctx.services.pool, async ({ tx }) => {
    const { companyId, userId, email } = await findUnused(ctx, tx, token, purpose)
    return withTenant(tx, companyId, async () => {
      const { fullname } = await findUser(tx, companyId, userId)
      return { fullname, email, companyName: (await findCompany(tx, companyId)).name }
    })
  })

/**
 * Sets a password by a reset link or an invitation: uses the link up (of two at once one wins, the other gets
 * LINK_INVALID), ends every other link and session of the person, and counts as verifying the address. Throws VALIDATION for a
 * password that is easy to guess, which leaves the link as it is.
 */
export async function setPasswordByLink(
  ctx: PublicContext,
  { token, password, purpose }: { token: string; password: string; purpose: 'reset' | 'invite' },
) {
  const { services, clock, origin } = ctx
  await checkNewPassword(password, await checkLink(ctx, token, purpose))
  const passwordHash = await hashPassword(password, origin.address)
  const now = clock.now()
  const user = await asLogin(services.pool, async ({ tx }) => {
    const link = await findUnused(ctx, tx, token, purpose)
    if (!(await consumeLink(tx, link.id, now))) throw new AppError('LINK_INVALID')
    await setPassword(tx, link.identityId, passwordHash, now)
    await endLinks(tx, link.identityId, now)
    await endSessions(tx, link.identityId)
    const network = networkOf(origin.address)
    await rememberNetwork(tx, services.secret, { identityId: link.identityId, network, now })
    return withTenant(tx, link.companyId, async () => {
      await endPushes(tx, link.companyId, link.userId)
      const after = await updateUser(tx, link.companyId, link.userId, { status: 'active' })
      const action = purpose === 'invite' ? 'auth.joined' : 'auth.passwordReset'
      const entry = { action, target: targetOf(after) }
      await writeAudit(tx, link.companyId, { actor: actorOf(after), origin, at: now }, [entry])
      return { ...after, email: link.email }
    })
  })
  services.bus.publish({ companyId: user.company_id, kind: 'session', data: {} })
  return user
}

/** A verification link, while it lives. Throws LINK_INVALID. */
export const checkVerifyLink = (ctx: PublicContext, token: string): Promise<Link> =>
  asLogin(ctx.services.pool, ({ tx }) => find(ctx, tx, token, 'verify'))

/** Verifies the mail address. May be repeated while the link lives. Throws LINK_INVALID. */
export const verifyAddress = (ctx: PublicContext, token: string): Promise<Link> =>
  asLogin(ctx.services.pool, async ({ tx }) => {
    const link = await find(ctx, tx, token, 'verify')
    const now = ctx.clock.now()
    if (await markVerified(tx, link.identityId, now))
      await withTenant(tx, link.companyId, async () => {
        const user = await updateUser(tx, link.companyId, link.userId, { status: 'active' })
        const about = { actor: actorOf(user), origin: ctx.origin, at: now }
        await writeAudit(tx, link.companyId, about, [{ action: 'auth.verified', target: targetOf(user) }])
      })
    return link
  })
