import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anAuthenticator } from '../../../test/authenticator.ts'
import { codeAt } from '../../../test/code-at.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { secondStep, withCodes } from '../../../test/factor-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { type OidcPeer, startOidcPeer } from '../../../test/oidc-peer.ts'
import { anSso, type SsoScene, ssoCalls } from '../../../test/sso-scene.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://localhost:8080' })
const [minute, hour] = [60_000, 3_600_000]
let peer: OidcPeer
beforeAll(async () => {
  peer = await startOidcPeer('http://localhost:8080/login/sso')
})
afterAll(() => peer.close())

let admin: TestUser
let scene: SsoScene
const calls = () => ssoCalls(t)
const at = (name: string) => `${name}@${scene.domain}`
const version = async () => (await calls().read(admin)).body.payload.connection.version as number
const change = async (policy: object) => calls().change(admin, { ...policy, version: await version() })
const profile = (token: string) => t.call('GET', '/auth/profile', { token })
const isIn = async (token: string) => (await profile(token)).status === 200
const sso = async () => (await scene.logIn('ada', at('ada'))).body.payload

beforeEach(async () => {
  peer.people.clear()
  t.clock.set(new Date())
  admin = await buildUser(t)
  scene = await anSso(t, peer, admin)
  peer.people.set('ada', { email: at('ada'), email_verified: true, name: 'Ada' })
})
const anAda = () => buildUser(t, { company: admin, role: 'staff', email: at('ada'), fullname: 'Ada' })

test('it is off until an Admin switches it on, which is in the trail and ends the sessions of single sign-on', async () => {
  const ada = await anAda()
  await withCodes(t, ada)
  const opened = await sso()
  expect(opened.mustEnrol).toBe(false)
  const on = await change({ asksFactor: true })
  expect(on.body.payload.connection.asksFactor).toBe(true)
  expect(await isIn(opened.tokens.accessToken)).toBe(false)
  // She proved more than that, by her password and the app.
  expect(await isIn(ada.token)).toBe(true)
  const entry = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'sso.changed').at(-1)
  expect(entry).toMatchObject({ before: { asksFactor: false }, after: { asksFactor: true } })
})

test('who has a second factor gives it after single sign-on; the session ends as one of single sign-on does', async () => {
  const codes = await withCodes(t, await anAda())
  await change({ asksFactor: true })
  const { secondFactor, tokens } = await sso()
  expect([tokens, secondFactor.methods]).toEqual([undefined, ['code', 'recoveryCode']])
  expect((await secondStep(t, secondFactor.token, { code: '000000' })).body.code).toBe('SECOND_FACTOR_WRONG')
  const { status, body } = await secondStep(t, secondFactor.token, { code: codes.code() })
  expect([status, body.payload.mustEnrol]).toEqual([200, false])
  const token = body.payload.tokens.accessToken as string
  const [session] = (await t.call('GET', '/auth/sessions', { token })).body.payload.data
  expect(session).toMatchObject({ method: 'sso', isThis: true })
  expect((await secondStep(t, secondFactor.token, { code: codes.code() })).status).toBe(400)
  t.clock.advance(12 * hour)
  expect(await isIn(token)).toBe(false)
})

test('hours that were made fewer between the two steps hold for the session', async () => {
  const codes = await withCodes(t, await anAda())
  await change({ asksFactor: true })
  const { secondFactor } = await sso()
  await change({ sessionHours: 1 })
  const { body } = await secondStep(t, secondFactor.token, { code: codes.code() })
  const token = body.payload.tokens.accessToken as string
  expect(await isIn(token)).toBe(true)
  t.clock.advance(hour)
  expect(await isIn(token)).toBe(false)
})

test('a recovery code does as well, once', async () => {
  const { recoveryCodes } = await withCodes(t, await anAda())
  await change({ asksFactor: true })
  const recoveryCode = recoveryCodes[0] as string
  expect((await secondStep(t, (await sso()).secondFactor.token, { recoveryCode })).status).toBe(200)
  expect((await secondStep(t, (await sso()).secondFactor.token, { recoveryCode })).status).toBe(400)
})

test('who has none sets one up first, and can do nothing else', async () => {
  await anAda()
  await change({ asksFactor: true })
  const opened = await sso()
  expect(opened.mustEnrol).toBe(true)
  const token = opened.tokens.accessToken as string
  expect((await t.call('GET', '/devices', { token })).body.code).toBe('SECOND_FACTOR_NEEDED')
  // The issuer may have let anybody pass who sat at an open browser: whoever sets a factor up proves it there first.
  expect((await t.call('POST', '/auth/totp', { token })).body.code).toBe('PROOF_NEEDED')
  const proof = await scene.answerOf(await calls().startProof({ token }), 'ada')
  expect((await calls().finishProof({ token }, proof)).body.payload).toEqual({ isProved: true })
  const { secret } = (await t.call('POST', '/auth/totp', { token })).body.payload
  const confirmed = await t.call('POST', '/auth/totp/confirm', {
    token,
    body: { code: codeAt(secret, t.clock.now()) },
  })
  expect(confirmed.body.payload.recoveryCodes).toHaveLength(10)
  expect((await t.call('GET', '/devices', { token })).status).toBe(200)
  // Neither may it be taken away again, nor does the session last longer.
  expect((await t.call('DELETE', '/auth/totp', { token })).body.code).toBe('SECOND_FACTOR_NEEDED')
  expect((await sso()).secondFactor.methods).toContain('code')
  t.clock.advance(12 * hour)
  expect(await isIn(token)).toBe(false)
})

test('a passkey ends the login where single sign-on is enforced; that of somebody else does not', async () => {
  const site = { origin: 'http://localhost:8080', host: 'localhost' }
  const withPasskey = async (user: TestUser) => {
    const key = anAuthenticator(site)
    const { payload } = (await t.call('POST', '/auth/passkeys/start', { token: user.token })).body
    const body = { token: payload.token, answer: key.create(payload.options), name: 'Phone' }
    expect((await t.call('POST', '/auth/passkeys', { token: user.token, body })).status).toBe(200)
    return async () => {
      const question = (await t.call('POST', '/auth/passkey/start')).body.payload
      return { token: question.token, answer: key.answer(question.options, payload.options.user.id) }
    }
  }
  const answer = await withPasskey(await anAda())
  const other = await withPasskey(await buildUser(t, { company: admin, role: 'staff' }))
  await withCodes(t, admin)
  const on = await change({ state: 'enforced', breakGlassIds: [admin.id], asksFactor: true })
  expect(on.status).toBe(200)
  const { secondFactor } = await sso()
  expect(secondFactor.methods).toEqual(['passkey', 'recoveryCode'])
  const finish = async (passkey: object) =>
    t.call('POST', '/auth/second-factor', { body: { token: secondFactor.token, passkey } })
  expect((await t.call('POST', '/auth/passkey/finish', { body: await answer() })).body.code).toBe('PASSKEY_REFUSED')
  expect((await finish(await other())).body.code).toBe('SECOND_FACTOR_WRONG')
  const given = await answer()
  expect((await finish(given)).body.payload.user.email).toBe(at('ada'))
  expect((await finish(given)).status).toBe(400)
})

test('a login that waits opens nothing once single sign-on is off, or the person was unlinked', async () => {
  const ada = await anAda()
  const codes = await withCodes(t, ada)
  await change({ asksFactor: true })
  const first = (await sso()).secondFactor.token
  await change({ state: 'off' })
  expect((await secondStep(t, first, { code: codes.code() })).body.code).toBe('SECOND_FACTOR_WRONG')
  await change({ state: 'offered' })
  const second = (await sso()).secondFactor.token
  expect((await t.call('DELETE', `/enterprise/sso/people/${ada.id}`, { token: admin.token })).status).toBe(200)
  expect((await secondStep(t, second, { code: codes.code() })).body.code).toBe('SECOND_FACTOR_WRONG')
  const third = (await sso()).secondFactor.token
  t.clock.advance(5 * minute)
  expect((await secondStep(t, third, { code: codes.code() })).body.code).toBe('SECOND_FACTOR_WRONG')
})
