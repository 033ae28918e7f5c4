import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { type HostileIssuer, newKey, startHostileIssuer } from '../../../test/hostile-issuer.ts'
import { aDomain } from '../../../test/sso-factory.ts'
import { proveByDesk, ssoCalls } from '../../../test/sso-scene.ts'
import { trailOf } from '../../../test/trail.ts'
import { maxUnderWay, refuseCrowded } from './issuer-turns.ts'

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://isotherm.test' })
const calls = () => ssoCalls(t)
const clientSecret = 'the-client-secret-of-the-test'

let admin: TestUser
let issuer: HostileIssuer
let domain: string
beforeEach(async () => {
  admin = await buildUser(t)
  issuer = await startHostileIssuer()
  domain = aDomain()
})
afterEach(() => issuer.close())

const save = (more: object = {}) =>
  calls().save(admin, { issuer: issuer.issuer, clientId: 'client', clientSecret, version: 0, ...more })
const email = () => `ada@${domain}`
const told = (honest: Record<string, unknown>) => ({ ...honest, email: email(), email_verified: true })

/** Tested and switched on, with Ada in the team. */
async function switchedOn() {
  await save()
  await calls().addDomain(admin, domain)
  await proveByDesk(t, admin, domain)
  issuer.bends.claims = told
  const { body } = await calls().test(admin)
  const { url, browserSecret } = body.payload
  const tested = await calls().finishTest(admin, { ...issuer.answerTo(url), browserSecret })
  expect(tested.body.payload.reason).toBeNull()
  await calls().change(admin, { state: 'offered', version: 2 })
  await buildUser(t, { company: admin, role: 'staff', email: email() })
}

/** A login with an answer that a test may change. */
async function logIn(more: object = {}) {
  const { url, browserSecret } = (await calls().start(email())).body.payload
  return calls().finish({ ...issuer.answerTo(url), browserSecret, ...more })
}
async function refusedAs(reason: string, more: object = {}) {
  const { status, body } = await logIn(more)
  expect([status, body.code]).toEqual([400, 'SSO_REFUSED'])
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({ action: 'sso.refused', reason })
}

test('an issuer that does as it should lets somebody in', async () => {
  await switchedOn()
  expect((await logIn()).status).toBe(200)
})

const shiftS = (name: string, seconds: number) => (honest: Record<string, unknown>) => ({
  ...told(honest),
  [name]: Math.floor(Date.now() / 1000) + seconds,
})
test.each([
  ['signed by another key', { key: newKey(), claims: told }],
  ['not signed (alg none)', { isUnsigned: true, header: () => ({ alg: 'none' }), claims: told }],
  ['signed, but said to be by the client’s secret', { header: () => ({ alg: 'HS256', kid: 'k' }), claims: told }],
  ['expired', { claims: shiftS('exp', -120) }],
  ['of another issuer', { claims: (honest: object) => ({ ...told({ ...honest }), iss: 'https://other.test' }) }],
  ['for another client', { claims: (honest: object) => ({ ...told({ ...honest }), aud: 'other' }) }],
  [
    'for several clients, begun by another',
    { claims: (honest: object) => ({ ...told({ ...honest }), aud: ['client', 'other'], azp: 'other' }) },
  ],
  ['with another nonce', { claims: (honest: object) => ({ ...told({ ...honest }), nonce: 'other' }) }],
  ['without a nonce', { claims: ({ nonce: _, ...honest }: Record<string, unknown>) => told(honest) }],
  ['without a subject', { claims: ({ sub: _, ...honest }: Record<string, unknown>) => told(honest) }],
])('a token %s is refused', async (_, bends) => {
  await switchedOn()
  issuer.bends = bends
  await refusedAs('ssoIssuer')
  // A code that was spent opens nothing later.
  issuer.bends = { claims: told }
  expect((await logIn()).status).toBe(200)
})

const agoS = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
test.each([
  ['does not say when the person logged in', undefined, 'ssoIssuer'],
  ['says it as a text', String(agoS(0)), 'ssoIssuer'],
  ['says that it did not ask again', agoS(600), 'ssoNotFresh'],
])('a fresh proof is none where the issuer %s', async (_, auth_time, reason) => {
  await switchedOn()
  const token = (await logIn()).body.payload.tokens.accessToken as string
  t.clock.set(new Date())
  await t.pool.query(`update sessions set proved_at = proved_at - interval '1 hour' where method = 'sso'`)
  const provedAt = async () =>
    (await t.pool.query(`select proved_at from sessions where method = 'sso' order by id desc limit 1`)).rows[0]
  const before = await provedAt()
  const prove = async () => {
    const { url, browserSecret } = (await calls().startProof({ token })).body.payload
    return (await calls().finishProof({ token }, { ...issuer.answerTo(url), browserSecret })).body.payload
  }
  issuer.bends = { claims: (honest) => ({ ...told(honest), ...(auth_time === undefined ? {} : { auth_time }) }) }
  expect(await prove()).toEqual({ isProved: false })
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({ action: 'sso.refused', reason })
  expect(await provedAt()).toEqual(before)
  issuer.bends = { claims: (honest) => ({ ...told(honest), auth_time: agoS(0) }) }
  expect(await prove()).toEqual({ isProved: true })
})

test('a login counts as a proof from when the issuer asked the person on, and as none where it does not say when', async () => {
  await switchedOn()
  t.clock.set(new Date())
  await t.change(admin.companyId, `update users set role = 'admin'`)
  const guarded = async (claims: object) => {
    issuer.bends = { claims: (honest) => ({ ...told(honest), ...claims }) }
    const token = (await logIn()).body.payload.tokens.accessToken as string
    const rules = { secondFactorFrom: null, idleMinutes: null, sessionHours: 12 }
    const { body } = await t.call('PATCH', '/auth/company/logins', { token, body: rules })
    return body.code ?? 'done'
  }
  expect(await guarded({})).toBe('PROOF_NEEDED')
  expect(await guarded({ auth_time: agoS(3_600) })).toBe('PROOF_NEEDED')
  expect(await guarded({ auth_time: agoS(60) })).toBe('done')
  // Nobody proves anything in the future.
  expect(await guarded({ auth_time: agoS(-86_400) })).toBe('done')
  const [latest] = (await t.pool.query(`select proved_at from sessions where method = 'sso' order by id desc limit 1`))
    .rows
  expect(latest?.proved_at.getTime()).toBeLessThanOrEqual(t.clock.now().getTime())
})

test('sessions of single sign-on end when it is switched off, and sooner where fewer hours are set', async () => {
  await switchedOn()
  t.clock.set(new Date())
  const token = (await logIn()).body.payload.tokens.accessToken as string
  const isIn = async (each: string) => (await t.call('GET', '/auth/profile', { token: each })).status === 200
  const change = async (policy: object) => {
    await t.pool.query('update sessions set proved_at = $2 where identity_id = $1', [admin.identityId, t.clock.now()])
    const { version } = (await calls().read(admin)).body.payload.connection
    expect((await calls().change(admin, { ...policy, version })).status).toBe(200)
  }
  await change({ sessionHours: 1 })
  expect(await isIn(token)).toBe(true)
  t.clock.advance(61 * 60_000)
  expect(await isIn(token)).toBe(false)
  const next = (await logIn()).body.payload.tokens.accessToken as string
  expect(await isIn(next)).toBe(true)
  await change({ state: 'off' })
  expect([await isIn(next), await isIn(admin.token)]).toEqual([false, true])
})

test.each([
  [
    'was logged out',
    401,
    ({ identityId }: TestUser) => t.pool.query('delete from sessions where identity_id = $1', [identityId]),
  ],
  [
    'became a Manager',
    403,
    ({ id, companyId }: TestUser) => t.change(companyId, `update users set role = 'manager' where id = ${id}`),
  ],
])('nobody sets an issuer who %s while it was asked', async (_, status, change) => {
  const other = await buildUser(t, { company: admin, role: 'admin' })
  let isAsked = false
  issuer.bends.answer = (path, response) => {
    if (isAsked) return false
    isAsked = true
    const honest = async () => (await fetch(`${issuer.issuer}${path}`)).text()
    void change(other)
      .then(honest)
      .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
    return true
  }
  const saved = await calls().save(other, { issuer: issuer.issuer, clientId: 'client', clientSecret, version: 0 })
  expect(saved.status).toBe(status)
  expect((await calls().read(admin)).body.payload.connection).toBeNull()
})

test('an answer that another issuer gave, or that names none, is refused (mix-up)', async () => {
  await switchedOn()
  await refusedAs('ssoIssuer', { iss: 'https://honest.test' })
  await refusedAs('ssoIssuer', { iss: undefined })
})

test('an issuer that has the browser ask another company’s issuer, which names itself nowhere, is not sent its code (mix-up)', async () => {
  const silent = (honest: object) => ({ ...honest, authorization_response_iss_parameter_supported: false })
  issuer.bends.description = silent
  await switchedOn()
  const victims = { domain, issuer }
  admin = await buildUser(t)
  const evil = await startHostileIssuer()
  issuer = evil
  domain = aDomain()
  issuer.bends.description = silent
  await switchedOn()
  // The thief begins a login of the victim's company, and the victim one of the thief's, whose issuer sends them on with what the thief was given.
  const ofThief = (await calls().start(`ada@${victims.domain}`)).body.payload
  const ofVictim = (await calls().start(email())).body.payload
  const { iss: _, ...given } = victims.issuer.answerTo(ofThief.url)
  const state = new URL(ofVictim.url).searchParams.get('state') ?? ''
  evil.asked.length = 0
  const { status, body } = await calls().finish({ ...given, state, browserSecret: ofVictim.browserSecret })
  expect([status, body.code, evil.asked]).toEqual([400, 'SSO_REFUSED', []])
  // The address of the thief's company is none that the victim's issuer would send a browser to.
  expect(new URL(ofThief.url).searchParams.get('redirect_uri')).not.toBe(
    new URL(ofVictim.url).searchParams.get('redirect_uri'),
  )
  await victims.issuer.close()
})

test('huge answers are cut, redirects are not followed, and an issuer that is away is a refusal', async () => {
  await switchedOn()
  const target = await startHostileIssuer()
  const answers: Record<string, NonNullable<HostileIssuer['bends']['answer']>> = {
    huge: (path, response) => {
      if (path !== '/token') return false
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () =>
        response.write(Buffer.alloc(65_536, 32), (error) => void (error ? undefined : setImmediate(more)))
      more()
      return true
    },
    redirect: (path, response) => {
      if (path !== '/token') return false
      response.writeHead(307, { location: `${target.issuer}/token` }).end()
      return true
    },
    notJson: (path, response) => path === '/jwks' && Boolean(response.end('<html>')),
    away: (path, response) => path === '/token' && Boolean(response.destroy()),
  }
  for (const answer of Object.values(answers)) {
    issuer.bends = { claims: told, answer }
    await refusedAs('ssoIssuer')
  }
  expect(target.asked).toEqual([])
  await target.close()
})

test('with many questions waiting for a company’s issuer no more come in; what was refused counts later, and other companies go on', async () => {
  await switchedOn()
  const other = { domain, issuer }
  admin = await buildUser(t)
  issuer = await startHostileIssuer()
  domain = aDomain()
  await switchedOn()
  const held: ServerResponse[] = []
  let isSilent = true
  issuer.bends.answer = (path, response) => path === '/token' && isSilent && held.push(response) > 0
  const asked = []
  for (let n = 0; n <= maxUnderWay; n += 1) {
    const from = { address: `10.7.${n}.1` }
    const { url, browserSecret } = (await t.call('POST', '/auth/sso/start', { body: { email: email() }, ...from })).body
      .payload
    asked.push({ body: { ...issuer.answerTo(url), browserSecret }, ...from })
  }
  const finish = (one: object = {}) => t.call('POST', '/auth/sso/finish', one)
  const [last, ...first] = asked
  const waiting = first.map(finish)
  const isCrowded = () => {
    try {
      return refuseCrowded(admin.companyId) ?? false
    } catch {
      return true
    }
  }
  await expect.poll(isCrowded, { timeout: 30_000 }).toBe(true)
  const refused = await finish(last)
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'BUSY', '5'])
  const here = { domain, issuer }
  ;({ domain, issuer } = other)
  expect((await logIn()).status).toBe(200)
  ;({ domain, issuer } = here)
  isSilent = false
  for (const response of held) response.destroy()
  const ended = (await Promise.all(waiting)).map(({ status }) => status)
  expect(new Set(ended)).toEqual(new Set([200, 400]))
  expect((await finish(last)).status).toBe(200)
  await other.issuer.close()
})

test('a description is judged when it is saved: whose it is, and where it leads', async () => {
  const fault = async (more: object = {}) => {
    const { status, body } = await save(more)
    return [status, body.fields]
  }
  const unusable = [422, { issuer: ['The issuer’s description lacks something that a login needs.'] }]
  issuer.bends.description = (honest) => ({ ...honest, issuer: 'https://other.test' })
  expect(await fault()).toEqual([422, { issuer: ['What answers at this address calls itself by another name.'] }])
  for (const bend of [
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: undefined },
    { jwks_uri: 'file:///etc/passwd' },
    { id_token_signing_alg_values_supported: ['none', 'HS256'] },
  ]) {
    issuer.bends.description = (honest) => ({ ...honest, ...bend })
    expect(await fault()).toEqual(unusable)
  }
  issuer.bends = {
    answer: (_, response) => Boolean(response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
  }
  expect((await fault())[0]).toBe(422)
  const shared = [
    422,
    { issuer: ['This issuer speaks for people of any company. Use the address of your own tenant.'] },
  ]
  for (const address of [
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'https://login.microsoftonline.com/consumers/v2.0',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
    'https://gitlab.com',
  ])
    expect(await fault({ issuer: address })).toEqual(shared)
  for (const address of ['issuer', 'ftp://issuer.test', 'https://user:pass@issuer.test', 'https://issuer.test/?a=b'])
    expect((await fault({ issuer: address }))[1]).toEqual({
      issuer: ['This is no address of an issuer, such as https://login.example.com.'],
    })
  expect((await calls().read(admin)).body.payload.connection).toBeNull()
})

test('the secret of the client is in no answer, no entry of the trail and no row', async () => {
  await switchedOn()
  await logIn()
  const answers = [await calls().read(admin), await calls().test(admin), await calls().start(email())]
  const rows = await t.rows('select to_jsonb(c) as row from sso_connections c where company_id = $1', [admin.companyId])
  const challenges = (await t.pool.query('select details from login_challenges')).rows
  const all = JSON.stringify([answers.map(({ body }) => body), rows, challenges, await trailOf(t, admin.companyId)])
  expect(all).not.toContain(clientSecret)
  expect(all).not.toContain(Buffer.from(clientSecret).toString('hex'))
})

test('the secret goes to its own issuer and client alone; another one is off until it was tested, and links are made anew', async () => {
  await switchedOn()
  expect((await logIn()).status).toBe(200)
  const again = { issuer: issuer.issuer, clientId: 'other', version: 3 }
  const refused = await calls().save(admin, again)
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['clientSecret']])
  expect((await calls().read(admin)).body.payload).toMatchObject({ linked: 1, connection: { state: 'offered' } })
  const same = await calls().save(admin, { ...again, clientId: 'client' })
  expect(same.body.payload).toMatchObject({ linked: 1, connection: { state: 'offered', version: 4 } })
  expect((await calls().save(admin, { ...again, version: 3, clientSecret })).body.code).toBe('CHANGED_MEANWHILE')
  const changed = await calls().save(admin, { ...again, version: 4, clientSecret })
  expect(changed.body.payload).toMatchObject({ linked: 0, connection: { state: 'off', testedAt: null, version: 5 } })
  const early = await calls().change(admin, { state: 'offered', version: 5 })
  expect([early.status, early.body.code]).toEqual([400, 'SSO_NOT_READY'])
})
