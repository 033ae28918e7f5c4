import { Role } from '@isotherm/contract/permissions.ts'
import { findCompany } from '../../core/company/company.ts'
import { announceRevocation } from '../../core/people/accounts.ts'
import { matrixOf } from '../../core/people/person.ts'
import { countLogin } from '../../core/people/users.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { findIdentity, type Identity, lockIdentity } from '../../platform/auth/identities.ts'
import { networkOf, rememberNetwork } from '../../platform/auth/known-networks.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import { endSession, openSession } from '../../platform/auth/sessions.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asLogin, type Tx, withLogin, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { signInRefused } from './jobs.ts'
import { actorOf, type SessionRows, targetOf } from './present.ts'

export interface OpenedSession extends SessionRows {
  accessToken: string
}

/**
 * Exchanges mail address and password for a token. Unknown address and wrong password give one answer after the same
 * work; only who knows the password hears that the address is not verified yet. Throws INVALID_CREDENTIALS or EMAIL_NOT_VERIFIED.
 */
export async function logIn(ctx: PublicContext, input: { email: string; password: string }): Promise<OpenedSession> {
  const { pool } = ctx.services
  const identity = await asLogin(pool, ({ tx }) => findIdentity(tx, input.email))
  const right = await checkPassword(input.password, identity?.passwordHash)
  if (!identity || !right) return refuse(ctx, identity, 'wrongPassword')
  if (!identity.verifiedAt) return refuse(ctx, identity, 'unverified')
  const answer = await asLogin(pool, async ({ tx }) => {
    // The password may have been changed, or the person removed, while it was being checked.
    const still = await lockIdentity(tx, identity.id)
    return still?.passwordHash === identity.passwordHash ? open(ctx, tx, identity) : undefined
  })
  return answer ?? refuse(ctx, identity, 'wrongPassword')
}

async function refuse(
  ctx: PublicContext,
  identity: Identity | undefined,
  reason: 'wrongPassword' | 'unverified',
): Promise<never> {
  const at = ctx.clock.now().toISOString()
  await asLogin(ctx.services.pool, ({ client }) =>
    ctx.services.enqueue(client, signInRefused, { identityId: identity?.id ?? null, reason, at, origin: ctx.origin }),
  )
  throw new AppError(reason === 'unverified' ? 'EMAIL_NOT_VERIFIED' : 'INVALID_CREDENTIALS')
}

async function open(ctx: PublicContext, tx: Tx, { id, companyId, userId }: Identity): Promise<OpenedSession> {
  const now = ctx.clock.now()
  const rows = await withTenant(tx, companyId, async () => {
    const user = await countLogin(tx, companyId, userId, now)
    await writeAudit(tx, companyId, { actor: actorOf(user), origin: ctx.origin, at: now }, [
      { action: 'auth.loggedIn', target: targetOf(user) },
    ])
    const permissions = await matrixOf(tx, companyId, Role.parse(user.role))
    return { user, permissions, company: await findCompany(tx, companyId) }
  })
  const accessToken = await openSession(tx, id, { isAdmin: rows.user.role === 'admin', now, ...ctx.origin })
  await rememberNetwork(tx, ctx.services.secret, { identityId: id, network: networkOf(ctx.origin.address), now })
  return { ...rows, accessToken }
}

/** Revokes the token the call came with. */
export async function logOut(ctx: Context): Promise<void> {
  await withLogin(ctx.tx, () => endSession(ctx.tx, ctx.sessionHash))
  ctx.audit({ action: 'auth.loggedOut' })
  announceRevocation(ctx)
}
