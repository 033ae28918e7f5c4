import { insertPasskey } from '../src/platform/auth/passkeys.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import { codeAt } from './code-at.ts'
import { buildUser, password } from './factories.ts'
import type { TestApp } from './harness.ts'

const periodMs = 30_000

/** Sets codes up for somebody, as their browser would; `code()` is one that was not used yet. */
export async function withCodes(t: TestApp, user: { token: string }) {
  const started = await t.call('POST', '/auth/totp', { token: user.token })
  const { secret, uri } = started.body.payload
  const confirmed = await t.call('POST', '/auth/totp/confirm', {
    token: user.token,
    body: { code: codeAt(secret, t.clock.now()) },
  })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  const code = () => {
    t.clock.advance(periodMs)
    return codeAt(secret, t.clock.now())
  }
  return {
    secret: secret as string,
    uri: uri as string,
    code,
    recoveryCodes: confirmed.body.payload.recoveryCodes as string[],
  }
}

export const firstStep = (t: TestApp, email: string, more: object = {}) =>
  t.call('POST', '/auth/login', { body: { email, password }, ...more })

/** The token of a login that waits for its second step. */
export const waitingLogin = async (t: TestApp, email: string): Promise<string> =>
  (await firstStep(t, email)).body.payload.secondFactor.token

export const secondStep = (t: TestApp, token: string, more: { code?: string; recoveryCode?: string }) =>
  t.call('POST', '/auth/second-factor', { body: { token, ...more } })

let count = 0
/** A passkey of somebody's that no browser holds. */
export async function aPasskey(t: TestApp, { companyId, userId }: { companyId: number; userId?: string }) {
  const identityId = await identityOf(t, companyId, userId)
  count += 1
  const passkey = {
    ...{ identityId, credentialId: `credential-${count}-${Date.now()}`, publicKey: Buffer.alloc(77), counter: 0 },
    ...{ transports: ['internal'], host: 'localhost', name: 'Phone', isSynced: true, now: t.clock.now() },
  }
  const made = await asLogin(t.pool, ({ tx }) => insertPasskey(tx, passkey))
  if (!made) throw new Error('the passkey is there already')
  return made
}

async function identityOf(t: TestApp, companyId: number, userId?: string): Promise<string> {
  if (userId === undefined) return (await buildUser(t, { company: { companyId }, role: 'staff' })).identityId
  const { rows } = await t.pool.query('select id from identities where company_id = $1 and user_id = $2', [
    companyId,
    userId,
  ])
  return rows[0].id
}

/** A session of a person by its id; of somebody else of the company where nobody is named. */
export async function aLoginSession(t: TestApp, { companyId, userId }: { companyId: number; userId?: string }) {
  const identityId = await identityOf(t, companyId, userId)
  const { rows } = await t.pool.query('select id from sessions where identity_id = $1 order by id desc limit 1', [
    identityId,
  ])
  return { id: rows[0].id as string }
}
