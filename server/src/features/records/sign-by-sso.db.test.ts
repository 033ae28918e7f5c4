import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { withCodes } from '../../../test/factor-factory.ts'
import { buildUser, password, type TestUser } from '../../../test/factories.ts'
import { type OidcPeer, startOidcPeer } from '../../../test/oidc-peer.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { anSso, type SsoScene, ssoCalls } from '../../../test/sso-scene.ts'

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://isotherm.test' })
const minute = 60_000
let peer: OidcPeer
beforeAll(async () => {
  peer = await startOidcPeer('http://isotherm.test/login/sso')
})
afterAll(() => peer.close())

let admin: TestUser
let scene: SsoScene
beforeEach(async () => {
  peer.people.clear()
  t.clock.set(new Date())
  admin = await buildUser(t)
  scene = await anSso(t, peer, admin, { joinRole: 'manager' })
})

/** Somebody who joined by single sign-on, and so has no password; with a record that is over. */
async function joined() {
  const email = `ada@${scene.domain}`
  peer.people.set('ada', { email, email_verified: true, name: 'Ada' })
  peer.people.set('bob', { email: `bob@${scene.domain}`, email_verified: true, name: 'Bob' })
  const token = (await scene.logIn('ada', email)).body.payload.tokens.accessToken as string
  const { id } = await buildRecord(t, { companyId: admin.companyId, state: 'ended', endAt: t.clock.now() })
  const sign = (more: object = {}, by = token) =>
    t.call('POST', `/enterprise/record/${id}/signatures`, {
      token: by,
      body: { meaning: 'approved', reason: 'All in range', ...more },
    })
  const prove = async (login = 'ada') => {
    const calls = ssoCalls(t)
    const answer = await scene.answerOf(await calls.startProof({ token }), login)
    return (await calls.finishProof({ token }, answer)).body.payload.isProved
  }
  const signatures = async () =>
    (await t.call('GET', `/enterprise/record/${id}`, { token: admin.token })).body.payload.signatures
  return { token, sign, prove, signatures }
}

test('who has no password signs by a fresh proof at the issuer, and not by the login alone', async () => {
  const { token, sign, prove, signatures } = await joined()
  expect((await t.call('GET', '/auth/security', { token })).body.payload.hasPassword).toBe(false)
  const refused = await sign()
  expect([refused.status, refused.body.code]).toEqual([400, 'SSO_PROOF_NEEDED'])
  expect((await sign({ password: 'any password at all' })).body.code).toBe('SSO_PROOF_NEEDED')
  expect(await prove('bob')).toBe(false)
  expect((await sign()).body.code).toBe('SSO_PROOF_NEEDED')
  expect(await signatures()).toEqual([])
  expect(await prove()).toBe(true)
  const signed = await sign({ meaning: 'reviewed', reason: 'Checked' })
  expect(signed.body.payload).toMatchObject({ meaning: 'reviewed', reason: 'Checked', signerName: 'Ada' })
  // For a while further records are signed by the same proof; then it is asked for anew.
  t.clock.advance(15 * minute)
  expect((await sign()).status).toBe(200)
  t.clock.advance(1)
  expect((await sign({ reason: 'Once more' })).body.code).toBe('SSO_PROOF_NEEDED')
  expect(await signatures()).toHaveLength(2)
})

test('a code of an app is no proof at the issuer', async () => {
  const { token, sign, prove } = await joined()
  expect(await prove()).toBe(true)
  const { code } = await withCodes(t, { token })
  t.clock.advance(16 * minute)
  expect((await t.call('POST', '/auth/proof', { token, body: { code: code() } })).status).toBe(200)
  expect((await sign({ code: code() })).body.code).toBe('SSO_PROOF_NEEDED')
  t.clock.set(new Date())
  expect(await prove()).toBe(true)
  expect((await sign()).status).toBe(200)
})

test('who has a password signs by it, and does not leave it out', async () => {
  const { sign } = await joined()
  const refused = await sign({}, admin.token)
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['password']])
  expect((await sign({ password }, admin.token)).status).toBe(200)
})
