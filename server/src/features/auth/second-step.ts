import type { AnsweredByPasskey } from '@isotherm/contract/passkeys.ts'
import { lookAtCode } from '../../core/people/second-factor.ts'
import { securityEvent, securityMail } from '../../core/people/security-mail.ts'
import { needsSso } from '../../core/sso/needs-sso.ts'
import { type Identity, identityById, lockIdentity } from '../../platform/auth/identities.ts'
import { beginChallenge, endChallenge, takeChallenge, tryChallenge } from '../../platform/auth/login-challenges.ts'
import { notePasskeyUse, passkeyByCredential, passkeyHandle } from '../../platform/auth/passkeys.ts'
import { recoveryCodesLeft, useRecoveryCode } from '../../platform/auth/recovery-codes.ts'
import { useStep } from '../../platform/auth/totps.ts'
import { passkeyLastsMs, passkeySite, readAnswer, requestOptions } from '../../platform/auth/webauthn.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asLogin, type Transaction, type Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { cameInBefore } from './by-sso.ts'
import type { OpenedSession } from './present.ts'
import { open, refuseSignIn } from './sign-in.ts'

interface Second {
  token: string
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: AnsweredByPasskey | undefined
}

/** The second step of a login, by password or by single sign-on. Whatever is wrong is the same answer. Throws SECOND_FACTOR_WRONG or TOO_MANY_REQUESTS. */
export async function finishLogIn(
  ctx: PublicContext,
  { token, code, recoveryCode, passkey }: Second,
): Promise<OpenedSession> {
  const { services, clock } = ctx
  const challenge = await tryChallenge(services.pool, 'secondFactor', token, clock.now())
  const id = challenge?.identityId
  const identity = id ? await asLogin(services.pool, ({ tx }) => identityById(tx, id)) : undefined
  if (!identity) return refuseSignIn(ctx, undefined, 'wrongCode')
  const step = code === undefined ? null : await lookAtCode(ctx, identity, code)
  const answered = passkey && (await answeredBy(ctx, passkey))
  const opened = await asLogin(services.pool, async (transaction) => {
    const { tx } = transaction
    // Single sign-on may have been enforced since the first step, or, where that was one, removed.
    const how = await cameInBefore(tx, identity, challenge?.details, clock.now())
    if (!how || !(await lockIdentity(tx, identity.id))) throw new NotRight()
    const isByRecoveryCode = recoveryCode !== undefined
    const isRight = isByRecoveryCode
      ? await takeRecoveryCode(ctx, transaction, identity, recoveryCode)
      : step !== null
        ? await useStep(tx, identity.id, step)
        : answered !== undefined && (await usePasskey(ctx, tx, identity, answered))
    // Thrown, so that a code of a login that was finished by somebody else is not used up.
    if (!isRight || !(await endChallenge(tx, 'secondFactor', token))) throw new NotRight()
    return open(ctx, transaction, identity, { ...how, isByRecoveryCode })
  }).catch((error: unknown) => {
    if (error instanceof NotRight) return undefined
    throw error
  })
  return opened ?? refuseSignIn(ctx, identity, 'wrongCode')
}

class NotRight extends Error {}

async function takeRecoveryCode(ctx: PublicContext, { tx, client }: Transaction, identity: Identity, code: string) {
  const now = ctx.clock.now()
  if (!(await useRecoveryCode(tx, identity.id, code, now))) return false
  const left = await recoveryCodesLeft(tx, identity.id)
  const event = securityEvent(identity, 'recoveryCodeUsed', { origin: ctx.origin, at: now, left })
  await ctx.services.enqueue(client, securityMail, event)
  return true
}

/** A question for a passkey, whosever it is. Throws PASSKEYS_UNAVAILABLE. */
export async function startPasskeyLogIn({ services, clock }: PublicContext) {
  const site = passkeySite(services.config.publicUrl)
  if (!('host' in site)) throw new AppError('PASSKEYS_UNAVAILABLE')
  const options = await requestOptions(site)
  const about = { identityId: null, details: { use: 'login', challenge: options.challenge }, now: clock.now() }
  const challenge = await asLogin(services.pool, ({ tx }) =>
    beginChallenge(tx, 'passkey', { ...about, lastsMs: passkeyLastsMs }),
  )
  return { ...challenge, options }
}

/** A passkey that somebody has, and its counter where its answer is right. */
interface Answered {
  found: NonNullable<Awaited<ReturnType<typeof passkeyByCredential>>>
  counter: number | undefined
  handle: string
}

/** The passkey that answered a question of a login; undefined where there is none, or no such question. */
async function answeredBy(ctx: PublicContext, { token, answer }: AnsweredByPasskey): Promise<Answered | undefined> {
  const { services, clock } = ctx
  const site = passkeySite(services.config.publicUrl)
  const challenge = await takeChallenge(services.pool, 'passkey', token, clock.now())
  const details = challenge?.details as { use: string; challenge: string } | undefined
  if (!('host' in site) || details?.use !== 'login') return undefined
  const found = await asLogin(services.pool, ({ tx }) => passkeyByCredential(tx, answer.id))
  if (!found) return undefined
  const counter = await readAnswer(site, details.challenge, answer, found)
  return { found, counter, handle: answer.response.userHandle ?? '' }
}

/** Uses an answer up where it is right and the passkey is this person's. As the login role. */
async function usePasskey(ctx: PublicContext, tx: Tx, { id }: Identity, { found, counter, handle }: Answered) {
  if (counter === undefined || found.identityId !== id) return false
  if (!(await passkeyHandle(tx, id)).equals(Buffer.from(handle, 'base64url'))) return false
  return notePasskeyUse(tx, found.id, counter, ctx.clock.now())
}

/**
 * Logs in by a passkey, which is two factors: the thing itself, and the finger, face or PIN that it checks. Whatever is wrong is the same answer.
 * Throws PASSKEY_REFUSED or EMAIL_NOT_VERIFIED.
 */
export async function logInByPasskey(ctx: PublicContext, answer: AnsweredByPasskey): Promise<OpenedSession> {
  const { services } = ctx
  const answered = await answeredBy(ctx, answer)
  if (!answered) return refuseSignIn(ctx, undefined, 'wrongPasskey')
  const { found } = answered
  const opened = await asLogin(services.pool, async (transaction) => {
    const { tx } = transaction
    const known = await identityById(tx, found.identityId)
    const mustUseSso = known !== undefined && (await needsSso(tx, known))
    const identity = await lockIdentity(tx, found.identityId)
    if (!identity || !(await usePasskey(ctx, tx, identity, answered))) return undefined
    if (!identity.verifiedAt || mustUseSso) return undefined
    return open(ctx, transaction, identity, { method: 'passkey', hasFactor: true })
  })
  if (opened) return opened
  services.log.warn({ passkey: found.id }, 'a passkey was refused')
  return refuseSignIn(ctx, { id: found.identityId }, 'wrongPasskey')
}
