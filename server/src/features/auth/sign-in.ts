import type { ErrorCode } from '@isotherm/contract/errors.ts'
import { Role } from '@isotherm/contract/permissions.ts'
import { findCompany } from '../../core/company/company.ts'
import { sessionTerms } from '../../core/company/login-policy.ts'
import { announceRevocation } from '../../core/people/accounts.ts'
import { matrixOf } from '../../core/people/person.ts'
import { securityEvent, securityMail } from '../../core/people/security-mail.ts'
import { countLogin } from '../../core/people/users.ts'
import { needsSso } from '../../core/sso/needs-sso.ts'
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
import { asLogin, type Transaction, type Tx, withLogin, withTenant } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type RefusalReason, signInRefused } from './jobs.ts'
import { actorOf, type OpenedSession, targetOf, type WaitingLogin } from './present.ts'

const waitsMs = 5 * 60_000

/**
 * Exchanges mail address and password for a token, or for the second step where the person has a second factor. Unknown address and wrong password give
 * one answer after the same work; only who knows the password hears that the address is not verified yet, or that the company asks for single sign-on.
 * Throws INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED or SSO_NEEDED.
 */
export async function logIn(
  ctx: PublicContext,
  input: { email: string; password: string },
): Promise<OpenedSession | WaitingLogin> {
  const { pool } = ctx.services
  const identity = await asLogin(pool, ({ tx }) => findIdentity(tx, input.email))
  const right = await checkPassword(input.password, identity?.passwordHash, ctx.origin.address)
  if (!identity || !right) return refuseSignIn(ctx, identity, 'wrongPassword')
  if (!identity.verifiedAt) return refuseSignIn(ctx, identity, 'unverified')
  const answer = await asLogin(pool, async (transaction) => {
    const { tx } = transaction
    if (await needsSso(tx, identity)) return 'ssoNeeded'
    // The password may have been changed, or the person removed, while it was being checked.
    const still = await lockIdentity(tx, identity.id)
    if (still?.passwordHash !== identity.passwordHash) return 'wrongPassword'
    const factors = await factorsOf(tx, identity.id)
    if (!hasFactor(factors)) return open(ctx, transaction, identity, { method: 'password', hasFactor: false })
    return beginSecondStep(ctx, tx, identity.id, factors, {})
  })
  return typeof answer === 'string' ? refuseSignIn(ctx, identity, answer) : answer
}

/** Has a login wait for a second factor; `details` are of its first step. As the login role. */
export async function beginSecondStep(
  ctx: PublicContext,
  tx: Tx,
  identityId: string,
  factors: Factors,
  details: object,
): Promise<WaitingLogin> {
  const about = { identityId, details, now: ctx.clock.now(), lastsMs: waitsMs }
  return { ...(await beginChallenge(tx, 'secondFactor', about)), methods: methodsOf(ctx, factors) }
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
  reason: RefusalReason,
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
  ssoNeeded: 'SSO_NEEDED',
} as const satisfies Record<RefusalReason, ErrorCode>

/** How somebody came in. */
export interface CameIn {
  method: LoginMethod
  /** By two factors, or at an identity provider whose business they are. */
  hasFactor: boolean
  /** When they proved who they are; left out: now. */
  provedAt?: Date
  /** An end of the session before the one of all sessions. */
  endsAt?: Date
  isByRecoveryCode?: boolean
  /** A second factor is asked for, and there is none yet. */
  mustEnrol?: boolean
  /** The act in the trail; left out: a login. */
  action?: string
}

/** Opens a session of a person who proved who they are, and tells them where browser or network are new. As the login role. */
export async function open(
  ctx: PublicContext,
  { tx, client }: Transaction,
  { id, companyId, userId }: Pick<Identity, 'id' | 'companyId' | 'userId'>,
  {
    method,
    hasFactor,
    provedAt,
    endsAt,
    action = 'auth.loggedIn',
    isByRecoveryCode = false,
    mustEnrol = false,
  }: CameIn,
): Promise<OpenedSession> {
  const { origin, services } = ctx
  const now = ctx.clock.now()
  const rows = await withTenant(tx, companyId, async () => {
    const user = await countLogin(tx, companyId, userId, now)
    await writeAudit(tx, companyId, { actor: actorOf(user), origin, at: now }, [
      ...(isByRecoveryCode ? [{ action: 'auth.recoveryCodeUsed', target: targetOf(user) }] : []),
      { action, target: targetOf(user) },
    ])
    const permissions = await matrixOf(tx, companyId, Role.parse(user.role))
    return { user, permissions, company: await findCompany(tx, companyId) }
  })
  const own = sessionTerms(rows.company, { hasFactor, now })
  const terms = mustEnrol ? { ...own, scope: 'enrol' as const } : own
  const about = { isAdmin: rows.user.role === 'admin', now, method, provedAt, ...origin, ...terms }
  const accessToken = await openSession(tx, id, { ...about, endsAt: earlier(endsAt, terms.endsAt) })
  const network = networkOf(origin.address)
  const isKnown = await rememberNetwork(tx, services.secret, { identityId: id, network, now })
  const browser = await rememberBrowser(tx, services.secret, { identityId: id, agent: origin.agent, now })
  if (browser === 'new' || (browser === 'known' && !isKnown))
    await services.enqueue(client, securityMail, securityEvent({ companyId, userId }, 'newLogin', { origin, at: now }))
  return { ...rows, accessToken, mustEnrol: terms.scope === 'enrol' }
}

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other)

/** Revokes the token the call came with. */
export async function logOut(ctx: Context): Promise<void> {
  await withLogin(ctx.tx, () => endSession(ctx.tx, ctx.sessionHash))
  ctx.audit({ action: 'auth.loggedOut' })
  announceRevocation(ctx)
}
