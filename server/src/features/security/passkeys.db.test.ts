import { expect, test } from 'vitest'
import { anAuthenticator } from '../../../test/authenticator.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { firstStep, withCodes } from '../../../test/factor-factory.ts'
import { token as anotherSession, buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { startTestApp } from '../../../test/harness.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { passkeySite } from '../../platform/auth/webauthn.ts'

const t = describeApp()
const site = { origin: 'http://localhost:8080', host: 'localhost' }
const minute = 60_000
const refused = { status: 400, code: 'PASSKEY_REFUSED' }

const post = async (path: string, body?: unknown, token?: string) => {
  const { status, body: answer } = await t.call('POST', path, {
    ...(token && { token }),
    ...(body !== undefined && { body }),
  })
  return { status, code: answer.code as string | undefined, payload: answer.payload }
}
const own = async (token: string) => (await t.call('GET', '/auth/security', { token })).body.payload

/** Somebody with one passkey, and what holds it. */
async function withPasskey(given?: TestUser) {
  const user = given ?? (await buildUser(t))
  const key = anAuthenticator(site)
  const { payload } = await post('/auth/passkeys/start', undefined, user.token)
  const handle = payload.options.user.id as string
  const added = await post(
    '/auth/passkeys',
    { token: payload.token, answer: key.create(payload.options), name: 'Phone' },
    user.token,
  )
  expect(added.status).toBe(200)
  const start = async () => (await post('/auth/passkey/start')).payload
  const finish = (token: string, answer: object) => post('/auth/passkey/finish', { token, answer })
  const logIn = async (how = {}) => {
    const question = await start()
    return finish(question.token, key.answer(question.options, handle, how))
  }
  return { user, key, handle, added: added.payload, start, finish, logIn }
}

test('a browser is asked for a passkey that finds and checks its person, under a random name', async () => {
  const user = await buildUser(t)
  const { payload } = await post('/auth/passkeys/start', undefined, user.token)
  const { options } = payload
  expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  expect(options).toMatchObject({ attestation: 'none', rp: { id: 'localhost' } })
  expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16)
  const again = await post('/auth/passkeys/start', undefined, user.token)
  expect(again.payload.options.user.id).toBe(options.user.id)
})

test('a passkey alone lets in, and is a second factor of the password', async () => {
  const { user, added, logIn } = await withPasskey()
  expect(added.recoveryCodes).toHaveLength(10)
  const { status, payload } = await logIn()
  expect(status).toBe(200)
  expect(payload).toMatchObject({ user: { id: user.id }, mustEnrol: false })
  const [session] = (await t.call('GET', '/auth/sessions', { token: payload.tokens.accessToken })).body.payload.data
  expect(session).toMatchObject({ method: 'passkey', isThis: true })
  expect((await own(payload.tokens.accessToken)).passkeys).toMatchObject([
    { name: 'Phone', isOfFormerHost: false, lastUsedAt: t.clock.now().toISOString() },
  ])
  expect((await firstStep(t, user.email)).body.payload.secondFactor.methods).toEqual(['passkey', 'recoveryCode'])
  expect((await mailsTo(t, user.email))[0]?.subject).toBe('A passkey was added to your Isotherm account')
})

test('a passkey of another origin or host, and one whose person was not checked, opens nothing', async () => {
  const { logIn } = await withPasskey()
  for (const how of [
    { origin: 'https://isotherm.example.com' },
    { origin: 'http://localhost:9090' },
    { host: 'evil.example' },
    { verifies: false },
  ])
    expect([how, await logIn(how)]).toMatchObject([how, refused])
  expect((await logIn()).status).toBe(200)
  const user = await buildUser(t)
  for (const how of [{ origin: 'http://evil.example' }, { host: 'evil.example' }, { verifies: false }]) {
    const { payload } = await post('/auth/passkeys/start', undefined, user.token)
    const answer = anAuthenticator(site).create(payload.options, how)
    expect(await post('/auth/passkeys', { token: payload.token, answer, name: 'Phone' }, user.token)).toMatchObject(
      refused,
    )
  }
})

test('a question is good for one answer, whether it was right or not, and for five minutes', async () => {
  const { key, handle, start, finish } = await withPasskey()
  const question = await start()
  const answer = key.answer(question.options, handle)
  expect((await finish(question.token, answer)).status).toBe(200)
  expect(await finish(question.token, answer)).toMatchObject(refused)
  // The answer to another question.
  const other = await start()
  expect(await finish(other.token, answer)).toMatchObject(refused)
  expect(await finish(other.token, key.answer(other.options, handle))).toMatchObject(refused)
  const late = await start()
  t.clock.advance(5 * minute)
  expect(await finish(late.token, key.answer(late.options, handle))).toMatchObject(refused)
})

test('of ten answers at once to one question one is let in', async () => {
  const { key, handle, start, finish } = await withPasskey()
  const question = await start()
  const answer = key.answer(question.options, handle)
  const answers = await Promise.all(Array.from({ length: 10 }, () => finish(question.token, answer)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('of ten answers at once to one question for a new passkey one is kept, whichever of the person’s sessions sends it', async () => {
  const user = await buildUser(t)
  const other = await anotherSession(t, user)
  const { payload } = await post('/auth/passkeys/start', undefined, user.token)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const answer = anAuthenticator(site).create(payload.options)
      return post('/auth/passkeys', { token: payload.token, answer, name: `Key ${n}` }, n % 2 ? other : user.token)
    }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  // The first factor may have ended either session.
  const kept = await t.pool.query('select from passkeys where identity_id = $1', [user.identityId])
  expect(kept.rowCount).toBe(1)
})

test.each(['one person', 'two people'])(
  'of two enrolments of one credential at once by %s one is kept',
  async (who) => {
    const first = await buildUser(t)
    const people = [first, who === 'one person' ? first : await buildUser(t)]
    const key = anAuthenticator(site)
    const enrol = async ({ token }: TestUser) => {
      const { payload } = await post('/auth/passkeys/start', undefined, token)
      return { token, body: { token: payload.token, answer: key.create(payload.options), name: 'Key' } }
    }
    const begun = await Promise.all(people.map(enrol))
    const answers = await Promise.all(begun.map(({ body, token }) => post('/auth/passkeys', body, token)))
    expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual([200, 'PASSKEY_REFUSED'])
    const kept = await t.pool.query('select from passkeys where credential_id = $1', [key.id])
    expect(kept.rowCount).toBe(1)
  },
)

test('two logins at once with the same counter are a passkey and its copy: one is let in', async () => {
  const { key, handle, start, finish } = await withPasskey()
  const questions = await Promise.all([start(), start()])
  const answers = await Promise.all(
    questions.map(({ token, options }) => finish(token, key.answer(options, handle, { counter: 70 }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a counter that went back, or stands still, is a copy and opens nothing', async () => {
  const { logIn } = await withPasskey()
  expect((await logIn({ counter: 50 })).status).toBe(200)
  expect(await logIn({ counter: 49 })).toMatchObject(refused)
  expect(await logIn({ counter: 50 })).toMatchObject(refused)
  expect((await logIn({ counter: 51 })).status).toBe(200)
})

test('a passkey that was removed, one of nobody, and one with another person’s name open nothing', async () => {
  const { user, key, logIn, start, finish, handle } = await withPasskey()
  const stranger = await withPasskey()
  const question = await start()
  expect(await finish(question.token, key.answer(question.options, stranger.handle))).toMatchObject(refused)
  const unknown = await start()
  expect(await finish(unknown.token, anAuthenticator(site).answer(unknown.options, handle))).toMatchObject(refused)
  const [passkey] = (await own(user.token)).passkeys
  expect((await t.call('DELETE', `/auth/passkeys/${passkey.id}`, { token: user.token })).status).toBe(200)
  expect(await logIn()).toMatchObject(refused)
  expect(await own(user.token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  expect((await firstStep(t, user.email)).body.payload.tokens).toBeDefined()
})

test('a question is its person’s: another one’s answer to it is refused, and one for a login makes no passkey', async () => {
  const [user, thief] = [await buildUser(t), await buildUser(t)]
  const { payload } = await post('/auth/passkeys/start', undefined, user.token)
  const answer = anAuthenticator(site).create(payload.options)
  expect(await post('/auth/passkeys', { token: payload.token, answer, name: 'X' }, thief.token)).toMatchObject(refused)
  const login = (await post('/auth/passkey/start')).payload
  const made = anAuthenticator(site).create(login.options)
  expect(await post('/auth/passkeys', { token: login.token, answer: made, name: 'X' }, user.token)).toMatchObject(
    refused,
  )
})

test('the same passkey is kept once, whosever it is', async () => {
  const { key } = await withPasskey()
  const other = await buildUser(t)
  const { payload } = await post('/auth/passkeys/start', undefined, other.token)
  const answer = key.create(payload.options)
  expect(await post('/auth/passkeys', { token: payload.token, answer, name: 'X' }, other.token)).toMatchObject(refused)
})

test('a passkey proves who calls, by its own question only', async () => {
  const { user, key, handle, start } = await withPasskey()
  t.clock.advance(16 * minute)
  expect((await post('/auth/recovery-codes', undefined, user.token)).code).toBe('PROOF_NEEDED')
  const { methods } = (await t.call('GET', '/auth/proof', { token: user.token })).body.payload
  expect(methods).toEqual(['passkey', 'recoveryCode'])
  const login = await start()
  const wrong = { token: login.token, answer: key.answer(login.options, handle) }
  expect(await post('/auth/proof', { passkey: wrong }, user.token)).toMatchObject(refused)
  const question = (await post('/auth/proof/passkey', undefined, user.token)).payload
  expect(question.options.allowCredentials).toMatchObject([{ id: key.id }])
  const passkey = { token: question.token, answer: key.answer(question.options, handle) }
  expect((await post('/auth/proof', { passkey }, user.token)).status).toBe(200)
  expect((await post('/auth/recovery-codes', undefined, user.token)).status).toBe(200)
  expect(await post('/auth/proof', { passkey }, user.token)).toMatchObject(refused)
})

test('somebody else’s passkey is not found, and the last way in stays', async () => {
  const company = await buildCompany(t)
  const { user } = await withPasskey(await buildUser(t, { company }))
  const colleague = await buildUser(t, { company })
  const [passkey] = (await own(user.token)).passkeys
  const path = `/auth/passkeys/${passkey.id}`
  expect((await t.call('DELETE', path, { token: colleague.token })).status).toBe(404)
  expect((await t.call('PATCH', path, { token: colleague.token, body: { name: 'Mine' } })).status).toBe(404)
  expect((await t.call('PATCH', path, { token: user.token, body: { name: 'Work phone' } })).body.payload.name).toBe(
    'Work phone',
  )
  await t.pool.query('update identities set password_hash = null where id = $1', [user.identityId])
  expect((await t.call('DELETE', path, { token: user.token })).body.code).toBe('LAST_WAY_IN')
})

test('with codes beside it a passkey brings no new recovery codes, and going leaves them', async () => {
  const user = await buildUser(t)
  await withCodes(t, user)
  const { added } = await withPasskey(user)
  expect(added.recoveryCodes).toBeNull()
  await t.call('DELETE', `/auth/passkeys/${added.passkey.id}`, { token: user.token })
  expect(await own(user.token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 })
})

test.each([
  ['https://isotherm.example.com', { host: 'isotherm.example.com', origin: 'https://isotherm.example.com' }],
  ['http://localhost:8080', { host: 'localhost', origin: 'http://localhost:8080' }],
  ['http://isotherm.example.com', { missing: 'https' }],
  ['https://nas', { missing: 'domain' }],
  ['http://192.168.1.5:8080', { missing: 'domain' }],
  ['https://192.168.1.5', { missing: 'domain' }],
  ['https://[::1]', { missing: 'domain' }],
])('passkeys at %s', (publicUrl, expected) => {
  expect(passkeySite(publicUrl)).toEqual(expected)
})

test('where the address takes none, nobody is asked for one, and a passkey of before still wants a recovery code', async () => {
  const { user } = await withPasskey()
  const app = await startTestApp({ publicUrl: 'http://10.0.0.4:8080' })
  const other = await buildUser(app)
  expect((await app.call('POST', '/auth/passkey/start')).body.code).toBe('PASSKEYS_UNAVAILABLE')
  expect((await app.call('POST', '/auth/passkeys/start', { token: other.token })).body.code).toBe(
    'PASSKEYS_UNAVAILABLE',
  )
  expect((await app.call('GET', '/auth/registration')).body.payload.takesPasskeys).toBe(false)
  const shown = await app.call('GET', '/auth/security', { token: other.token })
  expect(shown.body.payload.passkeysMissing).toBe('domain')
  await app.close()
  await t.pool.query(`update passkeys set host = 'old.example.com' where identity_id = $1`, [user.identityId])
  expect((await firstStep(t, user.email)).body.payload.secondFactor.methods).toEqual(['recoveryCode'])
  expect((await own(user.token)).passkeys).toMatchObject([{ isOfFormerHost: true }])
})

test.each([
  { token: 'x', answer: {} },
  { token: 'x', answer: { id: 'a b', rawId: 'a', type: 'public-key', response: {} } },
  { answer: null },
  { token: 7 },
])('a hostile answer is a 422: %j', async (body) => {
  expect((await post('/auth/passkey/finish', body)).status).toBe(422)
})

test('where single sign-on is enforced a passkey lets nobody in but who keeps their password', async () => {
  const { user, logIn } = await withPasskey()
  const { companyId } = user
  const other = await withPasskey(await buildUser(t, { company: user }))
  await t.change(
    companyId,
    `insert into sso_connections (company_id, issuer, client_id, client_secret, facts, asked_at, state, updated_at)
     values ($1, 'https://issuer.example.test', 'client', '\\x00', '{}', now(), 'enforced', now())`,
    [companyId],
  )
  await t.change(
    companyId,
    `insert into sso_domains (company_id, domain, token, proved_at, proved_by, created_at) values ($1, 'example.test', 'token', now(), 'dns', now())`,
    [companyId],
  )
  await t.change(companyId, 'insert into sso_break_glass (company_id, user_id, marked_at) values ($1, $2, now())', [
    companyId,
    user.id,
  ])
  expect([(await logIn()).status, await other.logIn()]).toMatchObject([200, refused])
})
