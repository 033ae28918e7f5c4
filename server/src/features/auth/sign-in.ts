import type { ErrorCode } from '@isotherm/contract/errors.ts'
import { Role } from '@isotherm/contract/permissions.ts'
import { findCompany } from '../../core/company/company.ts'
import { announceRevocation } from '../../core/people/accounts.ts'
import { matrixOf } from '../../core/people/person.ts'
import { countLogin } from '../../core/people/users.ts'
import { needsSso } from '../../core/sso/needs-sso.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { findIdentity, type Identity, lockIdentity } from '../../platform/auth/identities.ts'
import { networkOf, rememberNetwork } from '../../platform/auth/known-networks.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import { endSession, type LoginMethod, openSession } from '../../platform/auth/sessions.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asLogin, type Tx, withLogin, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type RefusalReason, signInRefused } from './jobs.ts'
import { actorOf, type SessionRows, targetOf } from './present.ts'

export interface OpenedSession extends SessionRows {
  accessToken: string
}

/**
 * Exchanges mail address and password for a token. Unknown address and wrong password give one answer after the same
 * work; only who knows the password hears that the address is not verified yet, or that the company asks for single sign-on. Throws
 * INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED or SSO_NEEDED.
 */
export async function logIn(ctx: PublicContext, input: { email: string; password: string }): Promise<OpenedSession> {
  const { pool } = ctx.services
  const identity = await asLogin(pool, ({ tx }) => findIdentity(tx, input.email))
  const right = await checkPassword(input.password, identity?.passwordHash)
  if (!identity || !right) return refuse(ctx, identity, 'wrongPassword')
  if (!identity.verifiedAt) return refuse(ctx, identity, 'unverified')
  if (await asLogin(pool, ({ tx }) => needsSso(tx, identity))) return refuse(ctx, identity, 'ssoNeeded')
  const answer = await asLogin(pool, async ({ tx }) => {
    // The password may have been changed, or the person removed, while it was being checked.
    const still = await lockIdentity(tx, identity.id)
    return still?.passwordHash === identity.passwordHash ? open(ctx, tx, identity) : undefined
  })
  return answer ?? refuse(ctx, identity, 'wrongPassword')
}

const codes = {
  wrongPassword: 'INVALID_CREDENTIALS',
  unverified: 'EMAIL_NOT_VERIFIED',
  ssoNeeded: 'SSO_NEEDED',
} as const satisfies Record<RefusalReason, ErrorCode>

async function refuse(ctx: PublicContext, identity: Identity | undefined, reason: RefusalReason): Promise<never> {
  const at = ctx.clock.now().toISOString()
  await asLogin(ctx.services.pool, ({ client }) =>
    ctx.services.enqueue(client, signInRefused, { identityId: identity?.id ?? null, reason, at, origin: ctx.origin }),
  )
  throw new AppError(codes[reason])
}

/** How somebody came in; left out: by their password. */
export interface CameIn {
  method?: LoginMethod
  /** An end of the session before the one of all sessions. */
  endsAt?: Date
  /** The act in the trail. */
  action?: string
}

/** Opens a session for somebody who has proved who they are. As the login role, with their identity locked. */
export async function open(
  ctx: PublicContext,
  tx: Tx,
  { id, companyId, userId }: Identity,
  { action = 'auth.loggedIn', ...how }: CameIn = {},
): Promise<OpenedSession> {
  const now = ctx.clock.now()
  const rows = await withTenant(tx, companyId, async () => {
    const user = await countLogin(tx, companyId, userId, now)
    await writeAudit(tx, companyId, { actor: actorOf(user), origin: ctx.origin, at: now }, [
      { action, target: targetOf(user) },
    ])
    const permissions = await matrixOf(tx, companyId, Role.parse(user.role))
    return { user, permissions, company: await findCompany(tx, companyId) }
  })
  const accessToken = await openSession(tx, id, { isAdmin: rows.user.role === 'admin', now, ...ctx.origin, ...how })
  await rememberNetwork(tx, ctx.services.secret, { identityId: id, network: networkOf(ctx.origin.address), now })
  return { ...rows, accessToken }
}

/** Revokes the token the call came with. */
export async function logOut(ctx: Context): Promise<void> {
  await withLogin(ctx.tx, () => endSession(ctx.tx, ctx.sessionHash))
  ctx.audit({ action: 'auth.loggedOut' })
  announceRevocation(ctx)
}
