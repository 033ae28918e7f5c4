import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const read = async (user: TestUser, query: Record<string, string> = {}) =>
  (await t.call('GET', '/audit-log', { token: user.token, query })).body.payload
const rename = (user: TestUser, id: number, name: string) =>
  t.call('PATCH', `/devices/${id}`, { token: user.token, body: { name } })

test('the trail is read in words, searched, filtered, and only as far as a person may see', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff', locale: 'fr' })
  const open = await buildDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const secret = await buildDevice(t, { companyId: admin.companyId, name: 'Vault', visibility: 'private' })
  await rename(admin, open.id, 'Fridge 2')
  await rename(admin, secret.id, 'Vault 2')
  await t.call('POST', '/users', {
    token: admin.token,
    body: { fullname: 'New', email: 'new.one@example.test', role: 'staff' },
  })
  const all = await read(admin)
  expect(all.data.map(({ title }: { title: string }) => title)).toEqual([
    'Team member invited',
    'Device changed',
    'Device changed',
  ])
  expect(all.data[2]).toMatchObject({
    who: admin.fullname,
    target: { kind: 'device' },
    before: { name: 'Fridge' },
    after: { name: 'Fridge 2' },
  })
  expect((await read(admin, { search: 'vault' })).meta.total).toBe(1)
  expect((await read(admin, { feature: 'users' })).meta.total).toBe(1)
  const team = await read(staff)
  expect(team.data.map(({ title, after }: { title: string; after: object }) => [title, after])).toEqual([
    [expect.any(String), { name: 'Fridge 2' }],
  ])
  expect(team.data[0].title).not.toBe('Device changed')
  expect((await read(await buildUser(t))).meta.total).toBe(0)
})

test('an Admin verifies that it is whole, and is shown where it is not', async () => {
  const admin = await buildUser(t)
  const device = await buildDevice(t, { companyId: admin.companyId })
  for (const name of ['a', 'b', 'c']) await rename(admin, device.id, name)
  const verify = async () => (await t.call('GET', '/audit-log/verify', { token: admin.token })).body.payload
  expect(await verify()).toEqual({ whole: true, entries: 3, brokenAt: null })
  const client = await t.pool.connect()
  await client.query('alter table audit_log no force row level security')
  await client.query(`update audit_log set after = '{"name": "z"}' where company_id = $1 and seq = 2`, [
    admin.companyId,
  ])
  await client.query('alter table audit_log force row level security')
  client.release()
  expect(await verify()).toEqual({ whole: false, entries: 1, brokenAt: '2' })
})
