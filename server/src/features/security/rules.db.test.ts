import { api } from '@isotherm/contract/api.ts'
import type { Call, Calls } from '@isotherm/contract/call.ts'
import { expect, test } from 'vitest'
import { codeAt } from '../../../test/code-at.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { firstStep, secondStep, waitingLogin, withCodes } from '../../../test/factor-factory.ts'
import { buildCompany, buildUser, password, token } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { pathOf } from '../../../test/samples.ts'
import { trailOf } from '../../../test/trail.ts'
import { provider } from '../../commands/provider/provider.ts'
import { tellResets } from './jobs.ts'

const t = describeApp()
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

const isIn = async (session: string) => (await t.call('GET', '/auth/profile', { token: session })).status === 200
const inFuture = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()
const noRules = { secondFactorFrom: null, idleMinutes: null, sessionHours: null }
const setRules = (session: string, rules: object) =>
  t.call('PATCH', '/auth/company/logins', { token: session, body: { ...noRules, ...rules } })

/** A company that asks for a second factor, whose Admin has one. */
async function strict() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const codes = await withCodes(t, admin)
  const person = await buildUser(t, { company, role: 'manager' })
  expect((await setRules(admin.token, { secondFactorFrom: inFuture(0) })).status).toBe(200)
  return { company, admin, codes, person }
}

test('from the day on, a login without a second factor may set one up and do nothing else (M10)', async () => {
  const { person } = await strict()
  expect(await isIn(person.token)).toBe(false)
  const login = (await firstStep(t, person.email)).body.payload
  expect(login.mustEnrol).toBe(true)
  const session = login.tokens.accessToken
  const everyCall = Object.values(api as Record<string, Calls>).flatMap((calls) => Object.values(calls))
  const refused = everyCall.filter(({ needs, enrols }) => needs !== 'public' && !enrols)
  expect(refused.length).toBeGreaterThan(300)
  const codeOf = async (call: Call) => {
    const hasBody = call.method !== 'GET' && call.method !== 'DELETE'
    const { status, body } = await t.call(call.method, pathOf(call, {}), {
      token: session,
      ...(hasBody && { body: {} }),
    })
    // A form is refused by its type before anything is looked at.
    return call.bodyKind === 'form' && status === 415 ? 'SECOND_FACTOR_NEEDED' : body.code
  }
  const wrong: string[] = []
  for (let first = 0; first < refused.length; first += 40) {
    const some = refused.slice(first, first + 40)
    const codes = await Promise.all(some.map(codeOf))
    wrong.push(...some.flatMap(({ path }, index) => (codes[index] === 'SECOND_FACTOR_NEEDED' ? [] : [path])))
  }
  expect(wrong).toEqual([])
  expect((await t.call('GET', '/auth/profile', { token: session })).body.payload.mustEnrol).toBe(true)
  const { secret } = (await t.call('POST', '/auth/totp', { token: session })).body.payload
  const code = codeAt(secret, t.clock.now())
  expect((await t.call('POST', '/auth/totp/confirm', { token: session, body: { code } })).status).toBe(200)
  expect((await t.call('GET', '/devices', { token: session })).status).toBe(200)
  expect((await t.call('GET', '/auth/profile', { token: session })).body.payload.mustEnrol).toBe(false)
  const off = await t.call('DELETE', '/auth/totp', { token: session })
  expect(off.body.code).toBe('SECOND_FACTOR_NEEDED')
}, 240_000)

test('a day to come lets sessions without a second factor go on until then, and others longer', async () => {
  const company = await buildCompany(t)
  const [admin, person] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  await withCodes(t, admin)
  const stranger = await buildUser(t)
  expect((await setRules(admin.token, { secondFactorFrom: inFuture(day) })).status).toBe(200)
  const later = (await firstStep(t, person.email)).body.payload
  expect(later.mustEnrol).toBe(false)
  expect(await isIn(person.token)).toBe(true)
  t.clock.advance(day)
  for (const session of [person.token, later.tokens.accessToken]) expect(await isIn(session)).toBe(false)
  for (const session of [admin.token, stranger.token]) expect(await isIn(session)).toBe(true)
})

test('rules need an Admin with a fresh proof, stay within the operator’s bounds, and are in the trail', async () => {
  const company = await buildCompany(t)
  const [admin, manager] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
  expect((await setRules(manager.token, {})).status).toBe(403)
  const { bounds, without } = (await t.call('GET', '/auth/company/logins', { token: admin.token })).body.payload
  expect(without).toBe(2)
  const beyond = await setRules(admin.token, {
    idleMinutes: bounds.idleMinutes > 525_599 ? 525_601 : bounds.idleMinutes + 1,
  })
  expect([beyond.status, Object.keys(beyond.body.fields ?? {})]).toEqual([422, ['idleMinutes']])
  expect((await setRules(admin.token, { secondFactorFrom: inFuture(6 * 366 * day) })).status).toBe(422)
  expect((await setRules(admin.token, { idleMinutes: 4 })).status).toBe(422)
  t.clock.advance(16 * minute)
  expect((await setRules(admin.token, { idleMinutes: 30 })).body.code).toBe('PROOF_NEEDED')
  const own = await token(t, admin)
  expect((await setRules(own, { idleMinutes: 30, sessionHours: 8 })).body.payload).toMatchObject({ idleMinutes: 30 })
  expect((await trailOf(t, company.companyId)).at(-1)).toMatchObject({
    action: 'company.loginRulesChanged',
    before: { idleMinutes: null, sessionHours: null },
    after: { idleMinutes: 30, sessionHours: 8 },
  })
})

test('an Admin without a second factor does not ask everybody for one at once', async () => {
  const admin = await buildUser(t)
  const refused = await setRules(admin.token, { secondFactorFrom: inFuture(0) })
  expect(refused.body.code).toBe('SECOND_FACTOR_NEEDED')
  expect(await isIn(admin.token)).toBe(true)
})

test('a company ends sessions sooner than the operator: unused, and in all; others go on', async () => {
  const company = await buildCompany(t)
  const [admin, person] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const stranger = await buildUser(t)
  await setRules(admin.token, { idleMinutes: 30, sessionHours: 2 })
  const fresh = (await firstStep(t, person.email)).body.payload.tokens.accessToken
  t.clock.advance(29 * minute)
  expect(await isIn(fresh)).toBe(true)
  t.clock.advance(30 * minute)
  expect([await isIn(fresh), await isIn(person.token), await isIn(stranger.token)]).toEqual([false, false, true])
  const busy = (await firstStep(t, person.email)).body.payload.tokens.accessToken
  for (let passed = 0; passed < 2 * hour - 20 * minute; passed += 20 * minute) {
    t.clock.advance(20 * minute)
    expect(await isIn(busy)).toBe(true)
  }
  t.clock.advance(20 * minute)
  expect(await isIn(busy)).toBe(false)
})

test('the end of a session counts from its login: no proof and no new factor puts it off', async () => {
  const company = await buildCompany(t)
  const [admin, person] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  await setRules(admin.token, { sessionHours: 2 })
  const session = (await firstStep(t, person.email)).body.payload.tokens.accessToken
  t.clock.advance(hour)
  expect((await t.call('POST', '/auth/proof', { token: session, body: { password } })).status).toBe(200)
  await withCodes(t, { token: session })
  t.clock.advance(hour - minute)
  expect(await isIn(session)).toBe(true)
  t.clock.advance(minute)
  expect(await isIn(session)).toBe(false)
})

test('a session that began without the needed second factor ends with its login, too', async () => {
  const { admin, person, codes } = await strict()
  await t.call('POST', '/auth/proof', { token: admin.token, body: { code: codes.code() } })
  expect((await setRules(admin.token, { secondFactorFrom: inFuture(0), sessionHours: 2 })).status).toBe(200)
  const session = (await firstStep(t, person.email)).body.payload.tokens.accessToken
  t.clock.advance(10 * minute)
  await withCodes(t, { token: session })
  t.clock.advance(110 * minute - minute)
  expect(await isIn(session)).toBe(true)
  t.clock.advance(minute)
  expect(await isIn(session)).toBe(false)
})

test('another Admin resets a second factor: audited, mailed, and the person’s sessions end', async () => {
  const { company, admin, person } = await strict()
  const enrolled = await token(t, person)
  const { code } = await withCodes(t, { token: enrolled })
  const reset = (session: string, id: string) => t.call('DELETE', `/users/${id}/second-factor`, { token: session })
  const list = () => t.call('GET', '/users/second-factors', { token: admin.token })
  const proved = await t.call('POST', '/auth/proof', { token: admin.token, body: { recoveryCode: 'AAAA-AAAA-AAAA' } })
  expect(proved.body.code).toBe('SECOND_FACTOR_WRONG')
  expect((await list()).body.payload.userIds.sort()).toEqual([admin.id, person.id].sort())
  expect((await reset(admin.token, admin.id)).body.code).toBe('NOT_YOURSELF')
  expect((await reset(enrolled, admin.id)).status).toBe(403)
  const waiting = await waitingLogin(t, person.email)
  expect((await reset(admin.token, person.id)).status).toBe(200)
  expect((await secondStep(t, waiting, { code: code() })).status).toBe(400)
  expect(await isIn(enrolled)).toBe(false)
  expect((await firstStep(t, person.email)).body.payload.mustEnrol).toBe(true)
  expect((await reset(admin.token, person.id)).body.code).toBe('SECOND_FACTOR_OFF')
  const subjects = (await mailsTo(t, person.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Your second factor for Isotherm was taken away')
  const entry = (await trailOf(t, company.companyId)).find(({ action }) => action === 'users.secondFactorReset')
  expect(entry).toMatchObject({ actor: { id: admin.id }, target: { id: person.id } })
})

test('the provider resets it for the last Admin', async () => {
  const admin = await buildUser(t)
  await withCodes(t, admin)
  const lines: string[] = []
  const run = (...args: string[]) => provider(args, { pool: t.pool, out: (line) => void lines.push(line) })
  expect(await run('users', 'reset-second-factor', '--email', 'nobody@example.test')).toBe(2)
  expect(await run('users', 'reset-second-factor', '--email', admin.email)).toBe(0)
  expect(await isIn(admin.token)).toBe(false)
  expect((await firstStep(t, admin.email)).body.payload.tokens).toBeDefined()
  expect(await run('users', 'reset-second-factor', '--email', admin.email)).toBe(2)
  const entry = (await trailOf(t, admin.companyId)).find(({ action }) => action === 'users.secondFactorReset')
  expect(entry).toMatchObject({ actor: { kind: 'system' }, target: { id: admin.id } })
})

test('people without a second factor are mailed in their language from when on they need one; who set one up, left or is spared meanwhile is not', async () => {
  const company = await buildCompany(t, { name: 'Baridi Ltd' })
  const admin = await buildUser(t, { company })
  await withCodes(t, admin)
  const [ana, bob, gone] = [
    await buildUser(t, { company, role: 'staff', locale: 'es', fullname: 'Ana' }),
    await buildUser(t, { company, role: 'staff' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  const stranger = await buildUser(t)
  const from = inFuture(7 * day)
  expect((await setRules(admin.token, { secondFactorFrom: from })).status).toBe(200)
  await withCodes(t, bob)
  await t.call('DELETE', `/users/${gone.id}`, { token: admin.token })
  const subjects = async ({ email }: { email: string }) => (await mailsTo(t, email)).map(({ subject }) => subject)
  const [mail, ...others] = await mailsTo(t, ana.email)
  expect(mail?.subject).toMatch(/^Isotherm: se pide un segundo factor a partir del /)
  expect(mail?.text).toContain('Baridi Ltd pide un segundo factor')
  expect(others).toEqual([])
  for (const person of [admin, bob, gone, stranger])
    expect((await subjects(person)).filter((subject) => subject.includes('is needed from'))).toEqual([])
  // The same date again tells nobody anything new; nor does a date that was taken back.
  t.clock.advance(2 * hour)
  expect((await setRules(await token(t, admin), { secondFactorFrom: from, idleMinutes: 60 })).status).toBe(200)
  expect(await mailsTo(t, ana.email)).toHaveLength(1)
})

test('who lost their second factor by the provider’s hand is told by mail, once', async () => {
  const user = await buildUser(t)
  await withCodes(t, user)
  const tools = { pool: t.pool, now: () => t.clock.now(), out: () => undefined, warn: () => undefined }
  expect(await provider(['users', 'reset-second-factor', '--email', user.email], tools)).toBe(0)
  await tellResets.run(t.services, {})
  await tellResets.run(t.services, {})
  const mails = (await mailsTo(t, user.email)).filter(({ subject }) => subject.includes('was taken away'))
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('the provider of your installation took the second factor of your account away')
  expect(mails[0]?.text).not.toContain('from .')
})
