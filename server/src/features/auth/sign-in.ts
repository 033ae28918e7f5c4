import { Role } from '@isotherm/contract/permissions.ts'
import { findCompany } from '../../core/company/company.ts'
import { sessionTerms } from '../../core/company/login-policy.ts'
import { announceRevocation } from '../../core/people/accounts.ts'
import { matrixOf } from '../../core/people/person.ts'
import { securityEvent, securityMail } from '../../core/people/security-mail.ts'
import { countLogin } from '../../core/people/users.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { type Factors, factorsOf, hasFactor } from '../../platform/auth/factors.ts'
import { findIdentity, type Identity, lockIdentity } from '../../platform/auth/identities.ts'
import { rememberBrowser } from '../../platform/auth/known-browsers.ts'
import { networkOf, rememberNetwork } from '../../platform/auth/known-networks.ts'
import { beginChallenge } from '../../platform/auth/login-challenges.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import { endSession, type LoginMethod, openSession } from '../../platform/auth/sessions.ts'
import { passkeySite } from '../../platform/auth/webauthn.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asLogin, type Transaction, withLogin, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { signInRefused } from './jobs.ts'
import { actorOf, type OpenedSession, targetOf, type WaitingLogin } from './present.ts'

const waitsMs = 5 * 60_000

/**
 * Exchanges mail address and password for a token, or for the second step where the person has a second factor. Unknown address and wrong password give
 * one answer after the same work; only who knows the password hears that the address is not verified yet. Throws INVALID_CREDENTIALS or
 * EMAIL_NOT_VERIFIED.
 */
export async function logIn(
  ctx: PublicContext,
  input: { email: string; password: string },
): Promise<OpenedSession | WaitingLogin> {
  const { pool } = ctx.services
  const identity = await asLogin(pool, ({ tx }) => findIdentity(tx, input.email))
  const right = await checkPassword(input.password, identity?.passwordHash)
  if (!identity || !right) return refuseSignIn(ctx, identity, 'wrongPassword')
  if (!identity.verifiedAt) return refuseSignIn(ctx, identity, 'unverified')
  const answer = await asLogin(pool, async (transaction) => {
    const { tx } = transaction
    // The password may have been changed, or the person removed, while it was being checked.
    const still = await lockIdentity(tx, identity.id)
    if (still?.passwordHash !== identity.passwordHash) return undefined
    const factors = await factorsOf(tx, identity.id)
    if (!hasFactor(factors)) return open(ctx, transaction, identity, { method: 'password', hasFactor: false })
    const about = { identityId: identity.id, details: {}, now: ctx.clock.now(), lastsMs: waitsMs }
    return { ...(await beginChallenge(tx, 'secondFactor', about)), methods: methodsOf(ctx, factors) }
  })
  return answer ?? refuseSignIn(ctx, identity, 'wrongPassword')
}

function methodsOf({ services }: PublicContext, { codesSince, passkeys }: Factors): WaitingLogin['methods'] {
  const site = passkeySite(services.config.publicUrl)
  const isUsable = 'host' in site && passkeys.some(({ host }) => host === site.host)
  return [...(codesSince ? (['code'] as const) : []), ...(isUsable ? (['passkey'] as const) : []), 'recoveryCode']
}

/** Notes a refused login in the trail of the person's company, and throws. */
export async function refuseSignIn(
  ctx: PublicContext,
  identity: Pick<Identity, 'id'> | undefined,
  reason: 'wrongPassword' | 'unverified' | 'wrongCode' | 'wrongPasskey',
): Promise<never> {
  const at = ctx.clock.now().toISOString()
  await asLogin(ctx.services.pool, ({ client }) =>
    ctx.services.enqueue(client, signInRefused, { identityId: identity?.id ?? null, reason, at, origin: ctx.origin }),
  )
  throw new AppError(codes[reason])
}
const codes = {
  wrongPassword: 'INVALID_CREDENTIALS',
  unverified: 'EMAIL_NOT_VERIFIED',
  wrongCode: 'SECOND_FACTOR_WRONG',
  wrongPasskey: 'PASSKEY_REFUSED',
} as const

/** Opens a session of a person who proved who they are, and tells them where browser or network are new. As the login role. */
export async function open(
  ctx: PublicContext,
  { tx, client }: Transaction,
  { id, companyId, userId }: Pick<Identity, 'id' | 'companyId' | 'userId'>,
  how: { method: LoginMethod; hasFactor: boolean; isByRecoveryCode?: boolean },
): Promise<OpenedSession> {
  const { origin, services } = ctx
  const now = ctx.clock.now()
  const rows = await withTenant(tx, companyId, async () => {
    const user = await countLogin(tx, companyId, userId, now)
    await writeAudit(tx, companyId, { actor: actorOf(user), origin, at: now }, [
      ...(how.isByRecoveryCode ? [{ action: 'auth.recoveryCodeUsed', target: targetOf(user) }] : []),
      { action: 'auth.loggedIn', target: targetOf(user) },
    ])
    const permissions = await matrixOf(tx, companyId, Role.parse(user.role))
    return { user, permissions, company: await findCompany(tx, companyId) }
  })
  const terms = sessionTerms(rows.company, { hasFactor: how.hasFactor, now })
  const about = { isAdmin: rows.user.role === 'admin', now, method: how.method, ...origin, ...terms }
  const accessToken = await openSession(tx, id, about)
  const network = networkOf(origin.address)
  const isKnown = await rememberNetwork(tx, services.secret, { identityId: id, network, now })
  const browser = await rememberBrowser(tx, services.secret, { identityId: id, agent: origin.agent, now })
  if (browser === 'new' || (browser === 'known' && !isKnown))
    await services.enqueue(client, securityMail, securityEvent({ companyId, userId }, 'newLogin', { origin, at: now }))
  return { ...rows, accessToken, mustEnrol: terms.scope === 'enrol' }
}

/** Revokes the token the call came with. */
export async function logOut(ctx: Context): Promise<void> {
  await withLogin(ctx.tx, () => endSession(ctx.tx, ctx.sessionHash))
  ctx.audit({ action: 'auth.loggedOut' })
  announceRevocation(ctx)
}
