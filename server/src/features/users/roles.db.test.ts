import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, only } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const save = (token: string, role: string, modulePermissions: object) =>
  t.call('PATCH', `/roles/${role}`, { token, body: { modulePermissions } })

test('roles start with their defaults', async () => {
  const admin = await buildUser(t)
  const { payload } = (await t.call('GET', '/roles', { token: admin.token })).body
  expect(payload).toEqual([
    { role: 'admin', modulePermissions: defaultMatrix.admin, version: 1 },
    { role: 'manager', modulePermissions: defaultMatrix.manager, version: 1 },
    { role: 'staff', modulePermissions: defaultMatrix.staff, version: 1 },
  ])
})

test('a saved change counts from the next request of everyone with that role, without a new login', async () => {
  const company = await buildCompany(t)
  const [admin, manager] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
  const list = () => t.call('GET', '/users', { token: manager.token })
  expect((await list()).status).toBe(200)
  expect((await save(admin.token, 'manager', only('devices.view'))).status).toBe(200)
  const refused = await list()
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
  const profile = await t.call('GET', '/auth/profile', { token: manager.token })
  expect(profile.body.payload.user.roleModulePermissions).toEqual(only('devices.view'))
  expect((await save(admin.token, 'manager', defaultMatrix.manager)).status).toBe(200)
  expect((await list()).status).toBe(200)
})

test('another company keeps its own', async () => {
  const [admin, other] = [await buildUser(t), await buildUser(t)]
  await save(admin.token, 'staff', only())
  const role = await t.call('GET', '/roles/staff', { token: other.token })
  expect(role.body.payload.modulePermissions).toEqual(defaultMatrix.staff)
})

test('Admin is read-only, an unknown role is not found', async () => {
  const admin = await buildUser(t)
  const refused = await save(admin.token, 'admin', defaultMatrix.staff)
  expect([refused.status, refused.body.code]).toEqual([400, 'ADMIN_READ_ONLY'])
  for (const role of ['owner', 'Admin', '%00', '__proto__'])
    expect((await t.call('GET', `/roles/${role}`, { token: admin.token })).status).toBe(404)
})

test('a matrix with a permission missing or unknown is refused, in the words of the screen', async () => {
  const admin = await buildUser(t)
  const { payments: _, ...missing } = defaultMatrix.staff
  expect((await save(admin.token, 'staff', missing)).status).toBe(422)
  const one = await save(admin.token, 'staff', { devices: { view: true, addOrEdit: true } })
  expect(one.body.messages).toEqual([
    'Devices: Export: This is needed.',
    ...['Groups', 'Alarms', 'Reports', 'Users', 'Dispatch', 'Payments'].map((name) => `${name}: This is needed.`),
  ])
  expect((await save(admin.token, 'staff', { ...defaultMatrix.staff, rockets: {} })).status).toBe(422)
})

test('who is no Admin gives no permission that they lack, but may take away and leave', async () => {
  const company = await buildCompany(t)
  const [admin, manager] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
  const own = only('users.view', 'users.addOrEdit', 'payments.view')
  await save(admin.token, 'manager', own)
  const more = await save(
    manager.token,
    'manager',
    only('users.view', 'users.addOrEdit', 'payments.view', 'payments.addOrEdit'),
  )
  expect(more.body.code).toBe('GRANT_EXCEEDS_OWN')
  const staff = { ...defaultMatrix.staff, payments: own.payments }
  expect((await save(manager.token, 'staff', staff)).status).toBe(200)
})

test('a role that may edit or export but not view is refused, and the message names the feature', async () => {
  const admin = await buildUser(t)
  for (const permission of ['devices.addOrEdit', 'devices.export'] as const) {
    const { status, body } = await save(admin.token, 'staff', only(permission))
    expect([status, Object.keys(body.fields)], permission).toEqual([422, ['modulePermissions.devices.view']])
  }
  expect((await save(admin.token, 'staff', only('devices.view', 'devices.export'))).status).toBe(200)
})

test('the trail keeps what was switched', async () => {
  const admin = await buildUser(t)
  await save(admin.token, 'staff', { ...defaultMatrix.staff, alarms: defaultMatrix.admin.alarms })
  expect(await trailOf(t, admin.companyId)).toMatchObject([
    {
      action: 'users.roleChanged',
      target: { kind: 'role', id: 'staff' },
      before: { alarms: { view: true, addOrEdit: false } },
      after: { alarms: { view: true, addOrEdit: true } },
    },
  ])
})
