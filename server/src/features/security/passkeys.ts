import type { NewPasskey } from '@isotherm/contract/passkeys.ts'
import { enrolled, lockFactors, ownFactors } from '../../core/people/enrol.ts'
import { identityById } from '../../platform/auth/identities.ts'
import { beginChallenge, takeChallenge } from '../../platform/auth/login-challenges.ts'
import {
  deletePasskeys,
  insertPasskey,
  type Passkey,
  passkeyHandle,
  passkeysOf,
  renamePasskey as writeName,
} from '../../platform/auth/passkeys.ts'
import { creationOptions, passkeyLastsMs, passkeySite, readCreation } from '../../platform/auth/webauthn.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { forgetCodesWithout, mayLose, tellOwner } from './codes.ts'

const maxPasskeys = 20

/** The site that passkeys are made for. Throws PASSKEYS_UNAVAILABLE. */
export function siteOf({ services }: Context) {
  const site = passkeySite(services.config.publicUrl)
  if (!('host' in site)) throw new AppError('PASSKEYS_UNAVAILABLE')
  return site
}

/** A question for a new passkey of the person who calls. Throws PASSKEYS_UNAVAILABLE. */
export async function startPasskey(ctx: Context) {
  const { tx, person, clock } = ctx
  const site = siteOf(ctx)
  const [handle, known] = await withLogin(tx, async () => [
    await passkeyHandle(tx, person.identityId),
    await passkeysOf(tx, person.identityId),
  ])
  const options = await creationOptions(site, { handle, ...person }, known)
  const details = { use: 'create', challenge: options.challenge }
  const about = { identityId: person.identityId, details, now: clock.now(), lastsMs: passkeyLastsMs }
  return { ...(await withLogin(tx, () => beginChallenge(tx, 'passkey', about))), options }
}

/**
 * Keeps a new passkey. A question is good for one answer, and for the person whom it was put to. Throws PASSKEYS_UNAVAILABLE or
 * PASSKEY_REFUSED, also for the 21st.
 */
export async function addPasskey(ctx: Context, input: { token: string; answer: NewPasskey; name: string }) {
  const { services, tx, person, clock } = ctx
  const site = siteOf(ctx)
  const challenge = await takeChallenge(services.pool, 'passkey', input.token, clock.now())
  const details = challenge?.details as { use: string; challenge: string } | undefined
  if (details?.use !== 'create' || challenge?.identityId !== person.identityId) throw new AppError('PASSKEY_REFUSED')
  const read = await readCreation(site, details.challenge, input.answer)
  if (!read) throw new AppError('PASSKEY_REFUSED')
  const before = await lockFactors(ctx)
  if (before.passkeys.length >= maxPasskeys) throw new AppError('PASSKEY_REFUSED')
  const { transports } = input.answer.response
  const made = {
    ...read,
    transports,
    identityId: person.identityId,
    host: site.host,
    name: input.name,
    now: clock.now(),
  }
  const passkey = await withLogin(tx, () => insertPasskey(tx, made))
  if (!passkey) throw new AppError('PASSKEY_REFUSED')
  const recoveryCodes = await enrolled(ctx, before)
  ctx.audit({ action: 'auth.passkeyAdded', target: targetOf(passkey) })
  await tellOwner(ctx, 'passkeyAdded', passkey.name)
  return { passkey, recoveryCodes }
}

const targetOf = ({ id, name }: Passkey) => ({ kind: 'passkey', id, name })

async function ownPasskey(ctx: Context, id: string): Promise<Passkey> {
  const { passkeys } = await ownFactors(ctx)
  return orNotFound(passkeys.find((each) => each.id === id))
}

/** Names a passkey of one's own. Throws NOT_FOUND. */
export async function renamePasskey(ctx: Context, id: string, name: string): Promise<Passkey> {
  const passkey = await ownPasskey(ctx, id)
  await withLogin(ctx.tx, () => writeName(ctx.tx, ctx.person.identityId, id, name))
  const target = { ...targetOf(passkey), name }
  ctx.audit({ action: 'auth.passkeyRenamed', target, before: { name: passkey.name }, after: { name } })
  return { ...passkey, name }
}

/** Removes a passkey of one's own. Throws NOT_FOUND, LAST_WAY_IN or SECOND_FACTOR_NEEDED. */
export async function removePasskey(ctx: Context, id: string): Promise<void> {
  const { tx, person } = ctx
  const factors = await lockFactors(ctx)
  const identity = await withLogin(tx, () => identityById(tx, person.identityId))
  const passkey = orNotFound(factors.passkeys.find((each) => each.id === id))
  const left = { ...factors, passkeys: factors.passkeys.filter((each) => each.id !== id) }
  if (!identity?.passwordHash && left.passkeys.length === 0) throw new AppError('LAST_WAY_IN')
  await mayLose(ctx, left)
  await withLogin(tx, () => deletePasskeys(tx, person.identityId, id))
  await forgetCodesWithout(ctx, left)
  ctx.audit({ action: 'auth.passkeyRemoved', target: targetOf(passkey) })
  await tellOwner(ctx, 'passkeyRemoved', passkey.name)
}
