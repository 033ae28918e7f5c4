import type { AnsweredByPasskey } from '@isotherm/contract/passkeys.ts'
import { takeChallenge } from '../../platform/auth/login-challenges.ts'
import { notePasskeyUse, passkeysOf } from '../../platform/auth/passkeys.ts'
import { recoveryCodesLeft, useRecoveryCode } from '../../platform/auth/recovery-codes.ts'
import { tryCode, useStep } from '../../platform/auth/totps.ts'
import { passkeySite, readAnswer } from '../../platform/auth/webauthn.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asLogin, withLogin } from '../../platform/db/transaction.ts'
import { securityEvent, securityMail } from './security-mail.ts'

/** At the fifth wrong code its owner is told: somebody has the password or a session, and guesses. */
const tellAtFailures = 5

/** The time step of a code; null where it is wrong. Outside the transaction of the call, which may fail. Throws TOO_MANY_REQUESTS after too many wrong ones. */
export async function lookAtCode(
  { services, clock, origin }: PublicContext,
  owner: { id: string; companyId: number; userId: string },
  code: string,
): Promise<number | null> {
  const { step, failures } = await tryCode(services, owner, code)
  if (step === null && failures === tellAtFailures) {
    const event = securityEvent(owner, 'wrongCodes', { origin, at: clock.now() })
    await asLogin(services.pool, ({ client }) => services.enqueue(client, securityMail, event))
  }
  return step
}

// Checks of a second factor of the person who calls, each good once.

/** Uses a code up. Throws TOO_MANY_REQUESTS after too many wrong ones. */
export async function takeCode(ctx: Context, code: string): Promise<boolean> {
  const { person, companyId, tx } = ctx
  const step = await lookAtCode(ctx, { id: person.identityId, companyId, userId: person.id }, code)
  return step !== null && withLogin(tx, () => useStep(tx, person.identityId, step))
}

/** Uses a recovery code up, and tells its owner by mail. */
export async function takeRecoveryCode(ctx: Context, code: string): Promise<boolean> {
  const { person, companyId, tx, clock, origin } = ctx
  const at = clock.now()
  const left = await withLogin(tx, async () =>
    (await useRecoveryCode(tx, person.identityId, code, at)) ? recoveryCodesLeft(tx, person.identityId) : null,
  )
  if (left === null) return false
  const event = securityEvent({ companyId, userId: person.id }, 'recoveryCodeUsed', { origin, at, left })
  await ctx.enqueue(securityMail, event)
  return true
}

/** Judges the answer of a passkey of the person who calls to a question that was put to them. */
export async function takePasskey(ctx: Context, { token, answer }: AnsweredByPasskey): Promise<boolean> {
  const { services, person, tx, clock } = ctx
  const site = passkeySite(services.config.publicUrl)
  const challenge = await takeChallenge(services.pool, 'passkey', token, clock.now())
  const details = challenge?.details as { use: string; challenge: string } | undefined
  if (!('host' in site) || details?.use !== 'prove' || challenge?.identityId !== person.identityId) return false
  const known = await withLogin(tx, () => passkeysOf(tx, person.identityId))
  const passkey = known.find(({ credentialId }) => credentialId === answer.id)
  const counter = passkey && (await readAnswer(site, details.challenge, answer, passkey))
  if (!passkey || counter === undefined) return false
  return withLogin(tx, () => notePasskeyUse(tx, passkey.id, counter, clock.now()))
}
