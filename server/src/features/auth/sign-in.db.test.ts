import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, password, token } from '../../../test/factories.ts'
import { startTestApp } from '../../../test/harness.ts'
import { trailOf } from '../../../test/trail.ts'
import { hashPassword, ownAddress } from '../../platform/auth/passwords.ts'
import { forgetEndedSessions } from '../../platform/auth/sessions.ts'
import { loadConfig } from '../../platform/config/config.ts'

const t = describeApp()

const logIn = (email: string, secret: string) => t.call('POST', '/auth/login', { body: { email, password: secret } })

test('the right password opens a session and answers with the person, their permissions and their company', async () => {
  const user = await buildUser(t, { role: 'staff' })
  const { status, body } = await logIn(user.email.toUpperCase(), password)
  expect(status).toBe(200)
  expect(body.payload).toMatchObject({
    user: { id: user.id, role: 'staff', roleModulePermissions: { devices: { view: true, addOrEdit: false } } },
    company: { id: String(user.companyId) },
    isShowTermsAndConditions: true,
  })
  const profile = await t.call('GET', '/auth/profile', { token: body.payload.tokens.accessToken })
  expect(profile.status).toBe(200)
})

test('every login is counted, timed and in the audit trail', async () => {
  const user = await buildUser(t)
  await logIn(user.email, password)
  const { body } = await logIn(user.email, password)
  expect(body.payload.user).toMatchObject({ loginCount: 2, lastLoginAt: t.clock.now().toISOString() })
  expect((await trailOf(t, user.companyId)).map((entry) => entry.action)).toEqual(['auth.loggedIn', 'auth.loggedIn'])
})

test('an unknown address and a wrong password get the same answer', async () => {
  const user = await buildUser(t)
  const [wrong, unknown] = await Promise.all([
    logIn(user.email, 'not the password'),
    logIn('no@example.test', password),
  ])
  expect(wrong.status).toBe(400)
  expect(wrong.body).toEqual({
    success: false,
    code: 'INVALID_CREDENTIALS',
    message: 'The mail address or the password is wrong.',
  })
  expect(unknown.body).toEqual(wrong.body)
})

test('an unknown address costs as much work as a wrong password: time tells nothing', async () => {
  const user = await buildUser(t)
  // A password of the product's own cost: that of a factory has the least.
  const hash = await hashPassword(password, ownAddress)
  await t.pool.query('update identities set password_hash = $1 where id = $2', [hash, user.identityId])
  // Processor time, not the clock's, which would tell of whatever else the machine is doing.
  const cost = async (email: string) => {
    const before = process.cpuUsage()
    await logIn(email, 'not the password')
    const { user: own, system } = process.cpuUsage(before)
    return own + system
  }
  let [known, unknown] = [0, 0]
  for (let round = 0; round < 12; round++) {
    known += await cost(user.email)
    unknown += await cost(`nobody${round}@example.test`)
  }
  // Checking a password is nearly all of it; skipping that would make the ratio tenfold.
  expect(unknown / known).toBeGreaterThan(0.4)
  expect(unknown / known).toBeLessThan(2.5)
})

test('a refused sign-in is in the audit trail of the company whose address it was', async () => {
  const user = await buildUser(t)
  await logIn(user.email, 'not the password')
  expect(await trailOf(t, user.companyId)).toMatchObject([
    { action: 'auth.refused', reason: 'wrongPassword', actor: { kind: 'guest' }, target: { id: user.id } },
  ])
})

test('only who knows the password hears that the address is not verified', async () => {
  const user = await buildUser(t)
  await t.pool.query('update identities set verified_at = null where id = $1', [user.identityId])
  expect((await logIn(user.email, 'not the password')).body.code).toBe('INVALID_CREDENTIALS')
  expect((await logIn(user.email, password)).body.code).toBe('EMAIL_NOT_VERIFIED')
})

test('logging out ends this session and no other', async () => {
  const user = await buildUser(t)
  const other = (await logIn(user.email, password)).body.payload.tokens.accessToken
  expect((await t.call('POST', '/auth/logout', { token: user.token })).status).toBe(200)
  const after = await t.call('GET', '/auth/profile', { token: user.token })
  expect([after.status, after.body.code]).toEqual([401, 'UNAUTHENTICATED'])
  expect((await t.call('GET', '/auth/profile', { token: other })).status).toBe(200)
})

test('a session ends after a week without use, and after thirty days in any case; an Admin’s after twelve hours (M12)', async () => {
  const app = await startTestApp({ sessions: loadConfig({}).sessions })
  const [idle, busy] = [await buildUser(app, { role: 'staff' }), await buildUser(app, { role: 'manager' })]
  const admin = await buildUser(app)
  const status = async (session: string) => (await app.call('GET', '/auth/profile', { token: session })).status
  app.clock.advance(12 * 3_600_000 - 1)
  expect(await status(admin.token)).toBe(200)
  app.clock.advance(1)
  expect(await status(admin.token)).toBe(401)
  for (let day = 1; day < 30; day += 1) {
    app.clock.advance(86_400_000)
    expect([day, await status(busy.token)]).toEqual([day, 200])
    if (day === 6) expect(await status(idle.token)).toBe(200)
  }
  expect(await status(idle.token)).toBe(401)
  app.clock.advance(86_400_000)
  expect(await status(busy.token)).toBe(401)
  await token(app, busy)
  expect(await forgetEndedSessions(app.pool, app.clock.now(), app.services.config.sessions)).toBe(3)
  expect((await app.pool.query('select from sessions')).rowCount).toBe(1)
  await app.close()
})

test('the database keeps no token, only its hash', async () => {
  const user = await buildUser(t)
  const { rows } = await t.pool.query('select token_hash from sessions where identity_id = $1', [user.identityId])
  expect(rows).toHaveLength(1)
  expect(rows[0].token_hash.toString('base64url')).not.toBe(user.token)
  expect(rows[0].token_hash.toString('utf8')).not.toContain(user.token)
})

test('nobody logs in with a password that was changed while it was being checked', async () => {
  const user = await buildUser(t)
  const blocker = await t.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query(`update identities set password_hash = 'changed' where id = $1`, [user.identityId])
    const answer = logIn(user.email, password)
    await expect.poll(() => waiting()).toBe(1)
    await blocker.query('commit')
    expect((await answer).body.code).toBe('INVALID_CREDENTIALS')
  } finally {
    blocker.release()
  }
})

const waiting = async () => {
  const { rows } = await t.pool.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].n
}
