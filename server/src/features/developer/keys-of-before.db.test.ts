import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, only } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'

const t = describeApp()

test('a key of before, whose row still says that it may change people, changes nobody, and loses that when it is saved', async () => {
  const key = await aKey(t, await buildCompany(t), { permissions: ['users.view', 'users.addOrEdit'] })
  const colleague = await buildUser(t, { company: key, role: 'staff' })
  const stored = async () => (await t.rows('select permissions from api_keys where id = $1', [key.id]))[0]?.permissions
  expect((await stored()).users).toEqual({ view: true, addOrEdit: true, export: false })
  const token = key.secret
  const invitation = { fullname: 'Amina Okoye', email: 'amina@example.com', role: 'manager' }
  expect((await t.call('POST', '/users', { token, body: invitation })).status).toBe(403)
  expect((await t.call('DELETE', `/users/${colleague.id}`, { token })).status).toBe(403)
  const { body } = await t.call('GET', '/users', { token })
  expect(body.payload.data).toHaveLength(2)
  const change = { keys: [{ id: key.id, name: 'Warehouse', permissions: only('users.view') }] }
  expect((await t.call('PUT', '/enterprise/developer', { token: key.admin.token, body: change })).status).toBe(200)
  expect(await stored()).toEqual(only('users.view'))
})
