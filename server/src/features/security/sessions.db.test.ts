import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { firstStep } from '../../../test/factor-factory.ts'
import { buildCompany, buildUser, token } from '../../../test/factories.ts'
import { listen } from '../../../test/live-listener.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const isIn = async (session: string) => (await t.call('GET', '/auth/profile', { token: session })).status === 200
const list = async (session: string) => (await t.call('GET', '/auth/sessions', { token: session })).body.payload.data
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

test('a person sees their own sessions: when, from where, with what, and which one asks', async () => {
  const company = await buildCompany(t)
  const user = await buildUser(t, { company })
  await buildUser(t, { company })
  t.clock.advance(1_000)
  const login = await firstStep(t, user.email, { headers: { 'user-agent': firefox }, address: '203.0.113.9' })
  const [newest, oldest] = await list(user.token)
  expect(newest).toEqual({
    ...{ id: expect.any(String), method: 'password', address: '203.0.113.9', browser: 'Firefox', system: 'Linux' },
    ...{ startedAt: t.clock.now().toISOString(), lastSeenAt: t.clock.now().toISOString(), isThis: false },
  })
  expect(oldest).toMatchObject({ isThis: true, browser: null, system: null })
  expect(await list(login.body.payload.tokens.accessToken)).toHaveLength(2)
})

test('one of them is ended, or all others, which is in the trail', async () => {
  const user = await buildUser(t)
  const [second, third] = [await token(t, user), await token(t, user)]
  const other = (await list(second)).find(({ isThis }: { isThis: boolean }) => isThis)
  expect((await t.call('DELETE', `/auth/sessions/${other.id}`, { token: user.token })).status).toBe(200)
  expect((await t.call('DELETE', `/auth/sessions/${other.id}`, { token: user.token })).status).toBe(404)
  expect([await isIn(second), await isIn(third)]).toEqual([false, true])
  expect((await t.call('DELETE', '/auth/sessions', { token: user.token })).status).toBe(200)
  expect([await isIn(third), await isIn(user.token)]).toEqual([false, true])
  const actions = (await trailOf(t, user.companyId)).map(({ action }) => action)
  expect(actions).toEqual(['auth.sessionEnded', 'auth.sessionsEnded'])
})

test('a live stream ends with its session, and that of another session goes on', async () => {
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const user = await buildUser(t)
  const other = await token(t, user)
  const [stays, ends] = [await listen(url, user.token), await listen(url, other)]
  await Promise.all([stays.next('hello'), ends.next('hello')])
  expect((await t.call('DELETE', '/auth/sessions', { token: user.token })).status).toBe(200)
  expect((await ends.next('closed')).data).toEqual({ reason: 'session' })
  await ends.ended
  expect(stays.heard.map(({ event }) => event)).not.toContain('closed')
  stays.stop()
})

test('an Admin ends somebody’s sessions, and nobody else’s end', async () => {
  const company = await buildCompany(t)
  const [admin, staff, other] = [
    await buildUser(t, { company }),
    await buildUser(t, { company, role: 'staff' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  expect((await t.call('DELETE', `/users/${staff.id}/sessions`, { token: other.token })).status).toBe(403)
  expect((await t.call('DELETE', `/users/${staff.id}/sessions`, { token: admin.token })).status).toBe(200)
  expect([await isIn(staff.token), await isIn(other.token), await isIn(admin.token)]).toEqual([false, true, true])
})

test('a login from a browser or network that is new is mailed; the first one, and known ones, are not', async () => {
  const user = await buildUser(t, { locale: 'fr' })
  const from = async (agent: string, address: string) => {
    await firstStep(t, user.email, { headers: { 'user-agent': agent }, address })
    return (await mailsTo(t, user.email)).length
  }
  expect(await from(firefox, '203.0.113.9')).toBe(0)
  expect(await from(firefox.replaceAll('140.0', '141.0'), '203.0.113.200')).toBe(0)
  expect(await from(phone, '203.0.113.9')).toBe(1)
  expect(await from(firefox, '198.51.100.4')).toBe(2)
  expect(await from(phone, '198.51.100.4')).toBe(2)
  const [mail] = await mailsTo(t, user.email)
  expect(mail?.subject).toBe('Nouvelle connexion à votre compte Isotherm')
  expect(mail?.text).toContain('Chrome, Android')
  expect(mail?.text).toContain('203.0.113.9')
})
