import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { secondStep, waitingLogin, withCodes } from '../../../test/factor-factory.ts'
import { buildUser, password, type TestUser } from '../../../test/factories.ts'
import { type OidcPeer, startOidcPeer } from '../../../test/oidc-peer.ts'
import { anSso, type SsoScene, ssoCalls } from '../../../test/sso-scene.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://isotherm.test' })
let peer: OidcPeer
beforeAll(async () => {
  peer = await startOidcPeer('http://isotherm.test/login/sso')
})
afterAll(() => peer.close())

let admin: TestUser
let scene: SsoScene
const calls = () => ssoCalls(t)
beforeEach(async () => {
  peer.people.clear()
  admin = await buildUser(t)
  scene = await anSso(t, peer, admin)
})

const at = (name: string) => `${name}@${scene.domain}`
const aPerson = (name: string, more: object = {}) =>
  buildUser(t, { company: admin, role: 'staff', email: at(name), fullname: name, ...more })
const reasons = async () =>
  (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'sso.refused').map(({ reason }) => reason)
/** The reason in the trail; the answer has none. */
const refused = async (login: string, email = at(login)) => {
  const { status, body } = await scene.logIn(login, email)
  expect([status, body.code]).toEqual([400, 'SSO_REFUSED'])
  expect(body.message).toBe('The single sign-on did not succeed. Try again, or ask an Admin of your company.')
  return (await reasons()).at(-1)
}

test('somebody of the team comes in by their account; the session ends by itself, and a second login knows them by the account', async () => {
  const ada = await aPerson('ada')
  peer.people.set('ada', { email: at('ada'), email_verified: true, name: 'Ada' })
  const { status, body } = await scene.logIn('ada', at('ada'))
  expect([status, body.payload.user.id, body.payload.user.role]).toEqual([200, ada.id, 'staff'])
  const { accessToken } = body.payload.tokens
  expect((await t.call('GET', '/auth/profile', { token: accessToken })).status).toBe(200)
  expect((await trailOf(t, admin.companyId)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['auth.loggedInBySso', 'sso.linked', 'sso.changed', 'sso.tested', 'sso.issuerSet']),
  )
  // Her address there may change: the account is known.
  peer.people.set('ada', { email: 'ada@elsewhere.test', email_verified: false })
  expect((await scene.logIn('ada', at('anybody'))).body.payload.user.id).toBe(ada.id)
  t.clock.advance(12 * 3_600_000 + 1)
  expect((await t.call('GET', '/auth/profile', { token: accessToken })).status).toBe(401)
})

test('an unknown address of the domain gets the same start, and domains without single sign-on the same as nobody’s', async () => {
  await aPerson('ada')
  for (const email of [at('ada'), at('nobody')]) {
    const { url, browserSecret } = (await calls().start(email)).body.payload
    expect(new URL(url).origin).toBe(peer.issuer)
    expect(browserSecret).toHaveLength(43)
  }
  const nowhere = { url: null, browserSecret: null }
  for (const email of ['ada@example.test', 'x@gmail.com', `x@sub.${scene.domain}`])
    expect((await calls().start(email)).body.payload).toEqual(nowhere)
  const { version } = (await calls().read(admin)).body.payload.connection
  await calls().change(admin, { state: 'off', version })
  expect((await calls().start(at('ada'))).body.payload).toEqual(nowhere)
})

test('an answer counts once, of two at once one wins, and in the browser that asked only', async () => {
  await aPerson('ada')
  peer.people.set('ada', { email: at('ada'), email_verified: true })
  const answer = await scene.answerOf(await calls().start(at('ada')), 'ada')
  const stolen = await calls().finish({ ...answer, browserSecret: 'another browser' })
  expect([stolen.status, stolen.body.code]).toEqual([400, 'SSO_REFUSED'])
  const { browserSecret: _, ...without } = answer
  expect((await calls().finish(without)).status).toBe(422)
  expect((await calls().finish({ ...answer, state: 'another state' })).body.code).toBe('SSO_REFUSED')
  const both = await Promise.all([calls().finish(answer), calls().finish(answer)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await calls().finish(answer)).body.code).toBe('SSO_REFUSED')
  // A code of one login does not open another one.
  const used = { ...(await scene.answerOf(await calls().start(at('ada')), 'ada')), code: answer.code ?? '' }
  expect((await calls().finish(used)).body.code).toBe('SSO_REFUSED')
  expect((await reasons()).at(-1)).toBe('ssoIssuer')
})

test('an answer that came too late is refused', async () => {
  await aPerson('ada')
  peer.people.set('ada', { email: at('ada'), email_verified: true })
  const answer = await scene.answerOf(await calls().start(at('ada')), 'ada')
  t.clock.advance(15 * 60_000)
  expect((await calls().finish(answer)).body.code).toBe('SSO_REFUSED')
})

test('the first login goes by the mail address, and only by one that the company may vouch for', async () => {
  await aPerson('ada')
  peer.people.set('ada', { email: at('ada'), email_verified: false })
  expect(await refused('ada')).toBe('ssoMailUnverified')
  peer.people.set('ada', { email_verified: true })
  expect(await refused('ada')).toBe('ssoMailMissing')
  peer.people.set('ada', { email: 'ada@foreign.test', email_verified: true })
  expect(await refused('ada')).toBe('ssoForeignDomain')
  peer.people.set('bob', { email: at('bob'), email_verified: true })
  expect(await refused('bob')).toBe('ssoUnknown')
  // Nothing is said of it: the issuer is the company's own.
  peer.people.set('ada', { email: at('ada').toUpperCase() })
  expect((await scene.logIn('ada', at('ada'))).status).toBe(200)
  // The address was given to somebody new there: that is another account.
  peer.people.set('ada2', { email: at('ada'), email_verified: true })
  expect(await refused('ada2', at('ada'))).toBe('ssoOtherAccount')
})

test('who was removed stays out, linked or not, until they are invited anew', async () => {
  const [ada, bob] = [await aPerson('ada'), await aPerson('bob')]
  for (const name of ['ada', 'bob']) peer.people.set(name, { email: at(name), email_verified: true })
  expect((await scene.logIn('ada', at('ada'))).status).toBe(200)
  for (const { id } of [ada, bob]) await t.call('DELETE', `/users/${id}`, { token: admin.token })
  const { version } = (await calls().read(admin)).body.payload.connection
  await calls().change(admin, { joinRole: 'staff', version })
  expect(await refused('ada')).toBe('ssoArchived')
  expect(await refused('bob')).toBe('ssoArchived')
  const body = { fullname: 'Ada again', email: at('ada'), role: 'staff' }
  const invited = (await t.call('POST', '/users', { token: admin.token, body })).body.payload
  const again = await scene.logIn('ada', at('ada'))
  expect([again.body.payload?.user.id, again.body.payload?.user.role]).toEqual([invited.id, 'staff'])
  const [row] = await t.rows('select status from users where company_id = $1 and id = $2', [
    admin.companyId,
    invited.id,
  ])
  expect(row).toEqual({ status: 'active' })
})

test('a person of another company with the same mail address is not reached, and does not come in here', async () => {
  const elsewhere = await buildUser(t, { role: 'staff', email: at('eve') })
  peer.people.set('eve', { email: at('eve'), email_verified: true })
  expect(await refused('eve')).toBe('ssoUnknown')
  await t.call('POST', '/users', { token: admin.token, body: { fullname: 'Eve', email: at('eve'), role: 'manager' } })
  expect(await refused('eve')).toBe('ssoElsewhere')
  const { version } = (await calls().read(admin)).body.payload.connection
  await calls().change(admin, { joinRole: 'manager', version })
  expect(await refused('eve')).toBe('ssoElsewhere')
  expect((await t.call('GET', '/auth/profile', { token: elsewhere.token })).body.payload.user.id).toBe(elsewhere.id)
})

test('people whom nobody invited join where the company says so, once, without a password', async () => {
  const { version } = (await calls().read(admin)).body.payload.connection
  await calls().change(admin, { joinRole: 'manager', version })
  peer.people.set('new', { email: at('new'), email_verified: true, name: 'New https://evil.test' })
  const answers = [
    await scene.answerOf(await calls().start(at('new')), 'new'),
    await scene.answerOf(await calls().start(at('new')), 'new'),
  ]
  const both = await Promise.all(answers.map((answer) => calls().finish(answer)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const users = both.map(({ body }) => body.payload.user)
  expect(users[0]).toMatchObject({ fullname: 'new', role: 'manager', email: at('new') })
  expect(users[1].id).toBe(users[0].id)
  const login = await t.call('POST', '/auth/login', { body: { email: at('new'), password } })
  expect(login.body.code).toBe('INVALID_CREDENTIALS')
  // An expired company adds nobody; who is there comes in.
  await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
  peer.people.set('late', { email: at('late'), email_verified: true })
  expect(await refused('late')).toBe('ssoFull')
  expect((await scene.logIn('new', at('new'))).status).toBe(200)
})

test('enforced: passwords of the domain lead to single sign-on, but for Admins who keep theirs', async () => {
  const [ada, guest] = [await aPerson('ada'), await buildUser(t, { company: admin, role: 'staff' })]
  const boss = await buildUser(t, { company: admin, email: at('boss') })
  const codes = await withCodes(t, boss)
  const { version } = (await calls().read(admin)).body.payload.connection
  const none = await calls().change(admin, { state: 'enforced', version })
  expect([none.status, Object.keys(none.body.fields)]).toEqual([422, ['breakGlassIds']])
  for (const id of [ada.id, guest.id, '999999'])
    expect((await calls().change(admin, { breakGlassIds: [id], version })).status).toBe(422)
  const enforced = await calls().change(admin, { state: 'enforced', breakGlassIds: [boss.id], version })
  expect(enforced.body.payload.breakGlassIds).toEqual([boss.id])
  // Sessions that were opened with a password are over; those of others are not.
  const profile = ({ token }: { token: string }) => t.call('GET', '/auth/profile', { token })
  expect((await profile(ada)).status).toBe(401)
  for (const user of [guest, boss, admin]) expect((await profile(user)).status).toBe(200)
  const logIn = async (email: string, secret = password) =>
    (await t.call('POST', '/auth/login', { body: { email, password: secret } })).body.code ?? 'in'
  expect(await logIn(ada.email)).toBe('SSO_NEEDED')
  expect(await logIn(ada.email, 'wrong password')).toBe('INVALID_CREDENTIALS')
  expect(await logIn(guest.email)).toBe('in')
  expect((await secondStep(t, await waitingLogin(t, boss.email), { code: codes.code() })).status).toBe(200)
  peer.people.set('ada', { email: at('ada'), email_verified: true })
  expect((await scene.logIn('ada', at('ada'))).status).toBe(200)
  // The last one who kept a password is gone: Admins come in by theirs, else an issuer that is away would lock all out.
  const other = await buildUser(t, { company: admin, email: at('other') })
  expect(await logIn(other.email)).toBe('SSO_NEEDED')
  expect((await t.call('DELETE', `/users/${boss.id}`, { token: admin.token })).status).toBe(200)
  expect(await logIn(other.email)).toBe('in')
  expect(await logIn(ada.email)).toBe('SSO_NEEDED')
})

test('a fresh proof is one that the issuer asks for anew, of the person’s own account, in the same session', async () => {
  const ada = await aPerson('ada')
  for (const name of ['ada', 'bob']) peer.people.set(name, { email: at(name), email_verified: true })
  expect((await calls().startProof(ada)).body.payload).toEqual({ url: null, browserSecret: null })
  const token = (await scene.logIn('ada', at('ada'))).body.payload.tokens.accessToken as string
  const own = { token }
  t.clock.set(new Date())
  const kept = async () =>
    (await t.pool.query(`select proved_at, ends_at from sessions where method = 'sso' order by id desc limit 1`))
      .rows[0]
  const provedAt = async () => (await kept()).proved_at
  const { ends_at } = await kept()
  await t.pool.query(`update sessions set proved_at = proved_at - interval '1 hour' where method = 'sso'`)
  const before = await provedAt()
  const started = await calls().startProof(own)
  expect(new URL(started.body.payload.url).searchParams.get('prompt')).toBe('login')
  const other = await scene.answerOf(started, 'bob')
  expect((await calls().finishProof(own, other)).body.payload).toEqual({ isProved: false })
  expect((await reasons()).at(-1)).toBe('ssoOtherAccount')
  const answer = await scene.answerOf(await calls().startProof(own), 'ada')
  // Neither in another session, nor as a login.
  expect((await calls().finishProof(ada, answer)).body.payload).toEqual({ isProved: false })
  expect((await calls().finish(answer)).body.code).toBe('SSO_REFUSED')
  expect(await provedAt()).toEqual(before)
  expect((await calls().finishProof(own, answer)).body.payload).toEqual({ isProved: true })
  // The end of the session counts from its login all the same.
  expect(await kept()).toEqual({ proved_at: t.clock.now(), ends_at })
  expect((await calls().finishProof(own, answer)).body.payload).toEqual({ isProved: false })
})
