import { createECDH, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const t = describeApp()

const path = '/enterprise/notifications/push'
let made = 0
function browser() {
  const pair = createECDH('prime256v1')
  return {
    endpoint: `https://push.example.test/${++made}-${randomBytes(8).toString('hex')}`,
    p256dh: pair.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}
const add = (user: TestUser, body: object) => t.call('POST', path, { token: user.token, body })
const browsersOf = ({ companyId, id }: TestUser) =>
  asPipeline(t.services.pool, async ({ client }) => {
    const sql = 'select endpoint from push_subscriptions where company_id = $1 and user_id = $2 order by id'
    const { rows } = await client.query<{ endpoint: string }>(sql, [companyId, id])
    return rows.map(({ endpoint }) => endpoint)
  })

test('without keys there is none to subscribe with', async () => {
  const user = await buildUser(t)
  expect((await t.call('GET', path, { token: user.token })).body.payload).toEqual({ key: null })
})

test('a browser is subscribed once, belongs to who subscribed it last, and is ended by nobody else', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const [one, two] = [browser(), browser()]
  for (const body of [one, two, one]) expect((await add(admin, body)).status).toBe(200)
  expect((await browsersOf(admin)).sort()).toEqual([one.endpoint, two.endpoint].sort())
  await add(staff, one)
  expect([await browsersOf(admin), await browsersOf(staff)]).toEqual([[two.endpoint], [one.endpoint]])
  const remove = (user: TestUser) =>
    t.call('POST', `${path}/removal`, { token: user.token, body: { endpoint: one.endpoint } })
  await remove(admin)
  await remove(await buildUser(t))
  expect(await browsersOf(staff)).toEqual([one.endpoint])
  await remove(staff)
  expect(await browsersOf(staff)).toEqual([])
})

test('a browser that a person of another company subscribes is taken from the former one, by a call that succeeds alone', async () => {
  const former = await buildUser(t)
  const next = await buildUser(t)
  const [shared, other] = [browser(), browser()]
  for (const body of [shared, other]) await add(former, body)
  expect((await add(next, { ...shared, p256dh: `B${'A'.repeat(86)}` })).status).toBe(422)
  expect(await browsersOf(former)).toEqual([shared.endpoint, other.endpoint])
  expect((await add(next, shared)).status).toBe(200)
  expect([await browsersOf(former), await browsersOf(next)]).toEqual([[other.endpoint], [shared.endpoint]])
})

test('messages that wait for the former person of a browser do not find it, and those of the same person do', async () => {
  const former = await buildUser(t)
  const next = await buildUser(t, { company: former, role: 'staff' })
  const shared = browser()
  const idOf = () =>
    asPipeline(t.services.pool, async ({ client }) => {
      const sql = 'select id from push_subscriptions where company_id = $1 and endpoint = $2'
      return (await client.query<{ id: string }>(sql, [former.companyId, shared.endpoint])).rows[0]?.id
    })
  await add(former, shared)
  const first = await idOf()
  expect(first).toBeDefined()
  await add(former, shared)
  expect(await idOf()).toBe(first)
  await add(next, shared)
  expect([undefined, first]).not.toContain(await idOf())
})

test('of very many browsers of a person the newest are kept', async () => {
  const user = await buildUser(t)
  const all = Array.from({ length: 12 }, browser)
  for (const body of all) await add(user, body)
  expect(await browsersOf(user)).toEqual(all.slice(2).map(({ endpoint }) => endpoint))
})

test.each([
  ['an endpoint without TLS', { endpoint: 'http://push.example.test/1' }, 'endpoint'],
  ['no address', { endpoint: 'push' }, 'endpoint'],
  ['a key that is no point of the curve', { p256dh: `B${'A'.repeat(86)}` }, 'p256dh'],
  ['a short secret', { auth: 'AAAA' }, 'auth'],
])('%s is refused, naming the field', async (_, wrong, field) => {
  const answer = await add(await buildUser(t), { ...browser(), ...wrong })
  expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]])
})

test('pushes end where sessions of a person are ended elsewhere', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  await add(admin, browser())
  await add(staff, browser())
  const role = await t.call('PATCH', `/users/${staff.id}`, { token: admin.token, body: { role: 'manager' } })
  expect(role.status).toBe(200)
  expect([await browsersOf(staff), (await browsersOf(admin)).length]).toEqual([[], 1])
})
