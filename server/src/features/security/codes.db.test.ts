import { expect, test } from 'vitest'
import { codeAt } from '../../../test/code-at.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { firstStep, secondStep, waitingLogin, withCodes } from '../../../test/factor-factory.ts'
import { buildCompany, buildUser, password, token } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const minute = 60_000

const subjectsTo = async (email: string) => (await mailsTo(t, email)).map(({ subject }) => subject)

const security = async (session: string) => (await t.call('GET', '/auth/security', { token: session })).body.payload
const isIn = async (session: string) => (await t.call('GET', '/auth/profile', { token: session })).status === 200

test('codes count once one confirmed the secret, which is kept sealed', async () => {
  const user = await buildUser(t, { role: 'staff' })
  const { body } = await t.call('POST', '/auth/totp', { token: user.token })
  expect(body.payload.uri).toMatch(/^otpauth:\/\/totp\/Isotherm/)
  expect((await firstStep(t, user.email)).body.payload.tokens).toBeDefined()
  const wrong = await t.call('POST', '/auth/totp/confirm', { token: user.token, body: { code: '000000' } })
  expect(wrong.body.code).toBe('SECOND_FACTOR_WRONG')
  expect((await security(user.token)).codesSince).toBeNull()
  const { secret, recoveryCodes } = await withCodes(t, user)
  expect(recoveryCodes).toHaveLength(10)
  expect(recoveryCodes[0]).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(await security(user.token)).toMatchObject({ codesSince: t.clock.now().toISOString(), recoveryCodesLeft: 10 })
  const { rows } = await t.pool.query('select * from totps where identity_id = $1', [user.identityId])
  expect(rows[0].secret_sealed.toString('latin1')).not.toContain(secret)
  expect((await t.call('POST', '/auth/totp', { token: user.token })).body.code).toBe('SECOND_FACTOR_ON')
  expect(await subjectsTo(user.email)).toEqual(['Codes are asked for at your Isotherm login'])
})

test('a login then takes two steps (M10)', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const { status, body } = await firstStep(t, user.email)
  expect(status).toBe(200)
  expect(body.payload).toEqual({
    secondFactor: {
      token: expect.any(String),
      methods: ['code', 'recoveryCode'],
      expiresAt: new Date(t.clock.now().getTime() + 5 * minute).toISOString(),
    },
  })
  const { token: waiting } = body.payload.secondFactor
  expect(await isIn(waiting)).toBe(false)
  const opened = await secondStep(t, waiting, { code: code() })
  expect(opened.body.payload).toMatchObject({ user: { id: user.id }, mustEnrol: false })
  expect(await isIn(opened.body.payload.tokens.accessToken)).toBe(true)
  expect((await secondStep(t, waiting, { code: code() })).body.code).toBe('SECOND_FACTOR_WRONG')
  const actions = (await trailOf(t, user.companyId)).map(({ action }) => action)
  expect(actions).toEqual(['auth.codesOn', 'auth.loggedIn'])
})

test('the first factor ends the sessions that came in by less, and no other of the company', async () => {
  const company = await buildCompany(t)
  const [user, colleague] = [await buildUser(t, { company }), await buildUser(t, { company })]
  const other = await token(t, user)
  await withCodes(t, user)
  expect([await isIn(user.token), await isIn(other), await isIn(colleague.token)]).toEqual([true, false, true])
})

test('a login that waits too long is over', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const waiting = await waitingLogin(t, user.email)
  t.clock.advance(5 * minute)
  expect((await secondStep(t, waiting, { code: code() })).body.code).toBe('SECOND_FACTOR_WRONG')
})

test('the code before is taken for a period, the one to come is not', async () => {
  const user = await buildUser(t)
  const { secret } = await withCodes(t, user)
  t.clock.advance(minute)
  const at = (ms: number) => codeAt(secret, new Date(t.clock.now().getTime() + ms))
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: at(30_000) })).status).toBe(400)
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: at(-60_000) })).status).toBe(400)
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: at(-30_000) })).status).toBe(200)
})

test('a recovery code lets in once, in any writing, and its owner is told; new ones void the old', async () => {
  const user = await buildUser(t)
  const { recoveryCodes } = await withCodes(t, user)
  const [first = '', second = ''] = recoveryCodes
  const typed = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  const opened = await secondStep(t, await waitingLogin(t, user.email), { recoveryCode: typed })
  expect(opened.status).toBe(200)
  expect((await secondStep(t, await waitingLogin(t, user.email), { recoveryCode: first })).status).toBe(400)
  expect(await subjectsTo(user.email)).toContain('A recovery code of your Isotherm account was used')
  expect((await trailOf(t, user.companyId)).map(({ action }) => action)).toContain('auth.recoveryCodeUsed')
  const session = opened.body.payload.tokens.accessToken
  const made = await t.call('POST', '/auth/recovery-codes', { token: session })
  expect(made.body.payload.recoveryCodes).toHaveLength(10)
  expect((await secondStep(t, await waitingLogin(t, user.email), { recoveryCode: second })).status).toBe(400)
  expect((await security(session)).recoveryCodesLeft).toBe(10)
})

test('codes are switched off with a fresh proof, and recovery codes go with the last factor', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  t.clock.advance(16 * minute)
  const remove = () => t.call('DELETE', '/auth/totp', { token: user.token })
  expect((await remove()).body.code).toBe('PROOF_NEEDED')
  const prove = (body: object) => t.call('POST', '/auth/proof', { token: user.token, body })
  // A person with a second factor proves it by that.
  const { methods } = (await t.call('GET', '/auth/proof', { token: user.token })).body.payload
  expect(methods).toEqual(['code', 'recoveryCode'])
  expect((await prove({ password })).body.code).toBe('WRONG_PASSWORD')
  expect((await remove()).body.code).toBe('PROOF_NEEDED')
  expect((await prove({ code: code() })).status).toBe(200)
  expect((await remove()).status).toBe(200)
  expect(await security(user.token)).toMatchObject({ codesSince: null, recoveryCodesLeft: 0 })
  expect((await remove()).body.code).toBe('SECOND_FACTOR_OFF')
  expect((await firstStep(t, user.email)).body.payload.tokens).toBeDefined()
  expect((await t.call('POST', '/auth/recovery-codes', { token: user.token })).body.code).toBe('SECOND_FACTOR_OFF')
})

test.each([
  { code: '12345' },
  { code: 'abcdef' },
  { code: '123456', recoveryCode: 'ABCD-EFGH-JKMN' },
  {},
  { code: 123456 },
  { recoveryCode: 'short' },
])('a hostile second step is a 422: %j', async (body) => {
  const answer = await t.call('POST', '/auth/second-factor', { body: { token: 'x', ...body } })
  expect(answer.status).toBe(422)
})
