import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { firstStep, secondStep, waitingLogin, withCodes } from '../../../test/factor-factory.ts'
import { buildCompany, buildUser, password, token } from '../../../test/factories.ts'
import { mailedToken, mailsTo } from '../../../test/mailed.ts'

const t = describeApp()
const minute = 60_000

const isIn = async (session: string) => (await t.call('GET', '/auth/profile', { token: session })).status === 200
const prove = (session: string, body: object) => t.call('POST', '/auth/proof', { token: session, body })

test('five wrong codes are the end of a login that waits, also for the right one', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const waiting = await waitingLogin(t, user.email)
  for (let i = 0; i < 4; i += 1) expect((await secondStep(t, waiting, { code: '000000' })).status).toBe(400)
  await t.pool.query('update totps set failures = 0 where identity_id = $1', [user.identityId])
  expect((await secondStep(t, waiting, { code: '000000' })).status).toBe(400)
  expect((await secondStep(t, waiting, { code: code() })).body.code).toBe('SECOND_FACTOR_WRONG')
})

test('many logins at once give no more tries: from the fifth wrong code on each is followed by a longer pause (M10)', async () => {
  const user = await buildUser(t)
  const { code, recoveryCodes } = await withCodes(t, user)
  const waiting = await Promise.all(Array.from({ length: 12 }, () => waitingLogin(t, user.email)))
  const answers = await Promise.all(waiting.map((each) => secondStep(t, each, { code: '000000' })))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(7)
  // A day of guessing by who has the password, at every end of a pause.
  const dayEnds = t.clock.now().getTime() + 24 * 60 * minute
  let taken = 0
  while (t.clock.now().getTime() < dayEnds) {
    const guess = await secondStep(t, await waitingLogin(t, user.email), { code: '000000' })
    if (guess.status === 400) taken += 1
    else t.clock.advance(Number(guess.headers['retry-after']) * 1000)
  }
  expect(taken).toBeLessThanOrEqual(11)
  expect((await mailsTo(t, user.email)).map(({ subject }) => subject)).toContain(
    'Wrong codes for your Isotherm account',
  )
  // The owner is not kept out meanwhile, and the right code ends the pause once it is looked at.
  const own = await waitingLogin(t, user.email)
  expect((await secondStep(t, own, { recoveryCode: recoveryCodes[0] ?? '' })).status).toBe(200)
  t.clock.advance(24 * 60 * minute)
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: code() })).status).toBe(200)
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: code() })).status).toBe(200)
})

test('a stranger without the password pauses nobody', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  for (let i = 0; i < 30; i += 1) await secondStep(t, `no-such-token-${i}`, { code: '000000' })
  for (let i = 0; i < 3; i += 1)
    await t.call('POST', '/auth/login', { body: { email: user.email, password: 'not the password' } })
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: code() })).status).toBe(200)
})

test('a code that was used, at a login or for a proof, is used up everywhere', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const once = code()
  const [first, second] = [await waitingLogin(t, user.email), await waitingLogin(t, user.email)]
  expect((await secondStep(t, first, { code: once })).status).toBe(200)
  expect((await secondStep(t, second, { code: once })).body.code).toBe('SECOND_FACTOR_WRONG')
  expect((await prove(user.token, { code: once })).body.code).toBe('SECOND_FACTOR_WRONG')
  expect((await prove(user.token, { code: code() })).status).toBe(200)
})

test('of ten logins at once with one code one is let in', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const once = code()
  const waiting = await Promise.all(Array.from({ length: 10 }, () => waitingLogin(t, user.email)))
  const answers = await Promise.all(waiting.map((each) => secondStep(t, each, { code: once })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('of ten tries at one login with one code one is let in', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const [once, waiting] = [code(), await waitingLogin(t, user.email)]
  const answers = await Promise.all(Array.from({ length: 10 }, () => secondStep(t, waiting, { code: once })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('of ten uses of one recovery code at once one is let in', async () => {
  const user = await buildUser(t)
  const { recoveryCodes } = await withCodes(t, user)
  const waiting = await Promise.all(Array.from({ length: 10 }, () => waitingLogin(t, user.email)))
  const recoveryCode = recoveryCodes[3] ?? ''
  const answers = await Promise.all(waiting.map((each) => secondStep(t, each, { recoveryCode })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a stolen session that proved nothing of late enrols nothing', async () => {
  const user = await buildUser(t)
  t.clock.advance(16 * minute)
  for (const [method, path, body] of [
    ['POST', '/auth/totp', undefined],
    ['POST', '/auth/totp/confirm', { code: '000000' }],
    ['POST', '/auth/passkeys/start', undefined],
    ['POST', '/auth/recovery-codes', undefined],
  ] as const)
    expect([path, (await t.call(method, path, { token: user.token, body })).body.code]).toEqual([path, 'PROOF_NEEDED'])
})

test('the code of somebody else opens nothing', async () => {
  const [user, thief] = [await buildUser(t), await buildUser(t)]
  await withCodes(t, user)
  const { code } = await withCodes(t, thief)
  expect((await secondStep(t, await waitingLogin(t, user.email), { code: code() })).status).toBe(400)
})

test('a session of somebody else, of the company or of another, is a 404 and goes on', async () => {
  const company = await buildCompany(t)
  const [admin, colleague, foreign] = [
    await buildUser(t, { company }),
    await buildUser(t, { company, role: 'staff' }),
    await buildUser(t),
  ]
  for (const other of [colleague, foreign]) {
    const list = await t.call('GET', '/auth/sessions', { token: other.token })
    const { id } = list.body.payload.data[0]
    expect((await t.call('DELETE', `/auth/sessions/${id}`, { token: admin.token })).status).toBe(404)
    expect(await isIn(other.token)).toBe(true)
  }
  for (const path of [`/users/${foreign.id}/sessions`, `/users/${foreign.id}/second-factor`])
    expect((await t.call('DELETE', path, { token: admin.token })).status).toBe(404)
})

test('a new password keeps the second factor, and ends logins that wait for one (M10)', async () => {
  const user = await buildUser(t)
  const { code } = await withCodes(t, user)
  const waiting = await waitingLogin(t, user.email)
  await t.call('POST', '/auth/forgotpassword', { body: { email: user.email } })
  const reset = await mailedToken(t, user.email)
  const fresh = 'a quite different password'
  expect((await t.call('POST', '/auth/resetpassword', { body: { token: reset, password: fresh } })).status).toBe(200)
  expect((await secondStep(t, waiting, { code: code() })).status).toBe(400)
  expect((await firstStep(t, user.email)).body.code).toBe('INVALID_CREDENTIALS')
  const login = await t.call('POST', '/auth/login', { body: { email: user.email, password: fresh } })
  expect(login.body.payload.tokens).toBeUndefined()
  const { token: next } = login.body.payload.secondFactor
  expect((await secondStep(t, next, { code: code() })).status).toBe(200)
})

test('a narrower role ends the sessions of its person, and of nobody else; permissions of a role end none', async () => {
  const company = await buildCompany(t)
  const [admin, manager, staff] = [
    await buildUser(t, { company }),
    await buildUser(t, { company, role: 'manager' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  const other = await token(t, manager)
  const changed = await t.call('PATCH', `/users/${manager.id}`, { token: admin.token, body: { role: 'staff' } })
  expect(changed.status).toBe(200)
  expect([await isIn(manager.token), await isIn(other)]).toEqual([false, false])
  expect([await isIn(admin.token), await isIn(staff.token)]).toEqual([true, true])
  const { modulePermissions } = (await t.call('GET', '/roles/staff', { token: admin.token })).body.payload
  const narrowed = { ...modulePermissions, devices: { ...modulePermissions.devices, view: false } }
  await t.call('PATCH', '/roles/staff', { token: admin.token, body: { modulePermissions: narrowed } })
  expect(await isIn(staff.token)).toBe(true)
  expect((await t.call('GET', '/devices', { token: staff.token })).status).toBe(403)
})

test('the password alone proves nothing to who has a second factor', async () => {
  const user = await buildUser(t)
  await withCodes(t, user)
  expect((await prove(user.token, { password })).body.code).toBe('WRONG_PASSWORD')
})
