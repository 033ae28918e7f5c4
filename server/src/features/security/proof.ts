import type { Proof, ProofMethod } from '@isotherm/contract/security.ts'
import { ownFactors } from '../../core/people/enrol.ts'
import { takeCode, takePasskey, takeRecoveryCode } from '../../core/people/second-factor.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { hasFactor } from '../../platform/auth/factors.ts'
import { identityById } from '../../platform/auth/identities.ts'
import { beginChallenge } from '../../platform/auth/login-challenges.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import { markProved } from '../../platform/auth/sessions.ts'
import { passkeyLastsMs, passkeySite, requestOptions } from '../../platform/auth/webauthn.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { siteOf } from './passkeys.ts'

/**
 * The ways in which the person who calls can prove who they are. Where they have a second factor the password is none of them: a thief who has the
 * password could else take the factor away. Who came in by single sign-on proves it where they came from.
 */
export async function waysToProve(ctx: Context): Promise<ProofMethod[]> {
  const factors = await ownFactors(ctx)
  const sso = ctx.session?.method === 'sso' ? (['sso'] as const) : []
  if (!hasFactor(factors)) return [...((await hasPassword(ctx)) ? (['password'] as const) : []), ...sso]
  const site = passkeySite(ctx.services.config.publicUrl)
  const isUsable = 'host' in site && factors.passkeys.some(({ host }) => host === site.host)
  return [
    ...(factors.codesSince ? (['code'] as const) : []),
    ...(isUsable ? (['passkey'] as const) : []),
    ...sso,
    'recoveryCode',
  ]
}

/** Whether the person who calls has a password. */
export async function hasPassword(ctx: Context): Promise<boolean> {
  const identity = await withLogin(ctx.tx, () => identityById(ctx.tx, ctx.person.identityId))
  return Boolean(identity?.passwordHash)
}

/** A refused proof is in the trail, though the call leaves nothing else. */
async function refuse(
  ctx: Context,
  code: 'WRONG_PASSWORD' | 'SECOND_FACTOR_WRONG' | 'PASSKEY_REFUSED',
): Promise<never> {
  const about = { actor: ctx.actor, origin: ctx.origin, at: ctx.clock.now() }
  await inTenant(ctx.services.pool, ctx.companyId, ({ tx }) =>
    writeAudit(tx, ctx.companyId, about, [{ action: 'auth.proofRefused' }]),
  )
  throw new AppError(code)
}

/** A question for one of the passkeys of the person who calls. Throws PASSKEYS_UNAVAILABLE. */
export async function startProof(ctx: Context) {
  const { tx, person, clock } = ctx
  const site = siteOf(ctx)
  const { passkeys } = await ownFactors(ctx)
  const options = await requestOptions(
    site,
    passkeys.filter(({ host }) => host === site.host),
  )
  const details = { use: 'prove', challenge: options.challenge }
  const about = { identityId: person.identityId, details, now: clock.now(), lastsMs: passkeyLastsMs }
  return { ...(await withLogin(tx, () => beginChallenge(tx, 'passkey', about))), options }
}

/** Proves who calls, for the session that calls and no other. Throws WRONG_PASSWORD, SECOND_FACTOR_WRONG, PASSKEY_REFUSED or TOO_MANY_REQUESTS. */
export async function prove(ctx: Context, { password, code, recoveryCode, passkey }: Proof): Promise<void> {
  const { tx, clock } = ctx
  if (password !== undefined && !(await isPassword(ctx, password))) return refuse(ctx, 'WRONG_PASSWORD')
  if (code !== undefined && !(await takeCode(ctx, code))) return refuse(ctx, 'SECOND_FACTOR_WRONG')
  if (recoveryCode !== undefined) {
    if (!(await takeRecoveryCode(ctx, recoveryCode))) return refuse(ctx, 'SECOND_FACTOR_WRONG')
    ctx.audit({ action: 'auth.recoveryCodeUsed' })
  }
  if (passkey && !(await takePasskey(ctx, passkey))) return refuse(ctx, 'PASSKEY_REFUSED')
  await withLogin(tx, () => markProved(tx, ctx.sessionHash, clock.now()))
}

/** Whether it is the person's password, and proves who they are. */
async function isPassword(ctx: Context, password: string): Promise<boolean> {
  const identity = await withLogin(ctx.tx, () => identityById(ctx.tx, ctx.person.identityId))
  const isRight = await checkPassword(password, identity?.passwordHash, ctx.origin.address)
  return isRight && !hasFactor(await ownFactors(ctx))
}
