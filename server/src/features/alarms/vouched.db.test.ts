import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

/** A group of a public and a private device, and an alarm on it that a Manager made for an address of their own. */
async function scene() {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const open = await aDevice(t, { companyId: admin.companyId, name: 'Open' })
  const hidden = await aDevice(t, { companyId: admin.companyId, name: 'Vault', visibility: 'private' })
  const deviceIds = [String(open.id), String(hidden.id)]
  const group = await t.call('POST', '/groups', { token: admin.token, body: { name: 'Mixed', deviceIds } })
  const save = async (user: TestUser, path: string, body: object, method: 'POST' | 'PATCH' = 'PATCH') =>
    t.call(method, path, { token: user.token, body })
  const alarm = {
    name: 'Too warm',
    groupIds: [group.body.payload.id],
    recipients: [{ email: 'on-call@manager.test' }],
    rule: { kind: 'value', temperatureMaxC: 8 },
  }
  const made = await save(manager, '/alarms', alarm, 'POST')
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const path = `/alarms/${made.body.payload.id}`
  const hears = async () => {
    const { body } = await t.call('GET', path, { token: admin.token })
    const { recipients, escalation } = body.payload
    return [...recipients, ...escalation].map((each: { address: string; hearsPrivate: boolean }) => [
      each.address,
      each.hearsPrivate,
    ])
  }
  return { admin, manager, open, hidden, path, alarm, save, hears }
}

test('an address that a Manager named stays so through an Admin’s save, until an Admin vouches for it (M1, L29)', async () => {
  const { admin, manager, path, save, hears } = await scene()
  await save(admin, path, { name: 'Warmer', recipients: [{ email: 'on-call@manager.test' }] })
  expect(await hears()).toEqual([['on-call@manager.test', false]])
  const refused = await save(manager, path, { recipients: [{ email: 'on-call@manager.test', vouched: true }] })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['recipients.0.vouched']])
  await save(admin, path, { recipients: [{ email: 'on-call@manager.test', vouched: true }] })
  expect(await hears()).toEqual([['on-call@manager.test', true]])
  const last = (await trailOf(t, admin.companyId)).at(-1)
  expect(last).toMatchObject({ before: { vouchedFor: [] }, after: { vouchedFor: ['on-call@manager.test'] } })
})

test('an address that an Admin named stays so through a Manager’s save and in the other list; a new one is the Manager’s (M1)', async () => {
  const { admin, manager, path, save, hears } = await scene()
  await save(admin, path, { recipients: [{ email: 'on-call@admin.test' }] })
  const other = { email: 'other@manager.test' }
  await save(manager, path, { recipients: [{ email: 'on-call@admin.test' }, other] })
  expect(await hears()).toEqual([
    ['on-call@admin.test', true],
    ['other@manager.test', false],
  ])
  const moved = { recipients: [other], escalation: [{ email: 'on-call@admin.test' }], escalateMinutes: 30 }
  await save(manager, path, moved)
  expect(await hears()).toEqual([
    ['other@manager.test', false],
    ['on-call@admin.test', true],
  ])
  await t.call('PATCH', `/users/${admin.id}`, { token: (await secondAdmin(admin)).token, body: { role: 'manager' } })
  const { body } = await t.call('GET', path, { token: manager.token })
  expect(body.payload.escalation).toMatchObject([{ address: 'on-call@admin.test', hearsPrivate: false }])
})

const secondAdmin = (company: { companyId: number }) => buildUser(t, { company })

test('the alarm’s page says to an Admin which devices do not reach everybody, and to nobody else (M1)', async () => {
  const { admin, manager, hidden, path } = await scene()
  const of = async ({ token }: TestUser) => (await t.call('GET', path, { token })).body.payload
  expect(await of(admin)).toMatchObject({
    privateDevices: [{ id: String(hidden.id), name: 'Vault' }],
    privateDeviceCount: 1,
    deviceCount: 2,
  })
  expect(await of(manager)).toMatchObject({ privateDevices: [], privateDeviceCount: 0, deviceCount: 1 })
})

test('only an Admin makes an alarm private', async () => {
  const { admin, manager, path, alarm, save } = await scene()
  const refused = [
    await save(manager, path, { visibility: 'private' }),
    await save(manager, '/alarms', { ...alarm, visibility: 'private' }, 'POST'),
  ]
  for (const { status, body } of refused) expect([status, Object.keys(body.fields)]).toEqual([422, ['visibility']])
  expect((await save(admin, path, { visibility: 'private' })).status).toBe(200)
})

test('alarms and back-tests ask for the permission to view devices (L7)', async () => {
  const { admin, alarm, save, open } = await scene()
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  await setMatrix(t, admin.companyId, 'staff', only('alarms.view', 'alarms.addOrEdit'))
  const own = { ...alarm, groupIds: [], deviceIds: [String(open.id)] }
  const { rule, recipients, deviceIds, groupIds } = own
  const question = { rule, recipients, deviceIds, groupIds, days: 1 }
  for (const [path, body] of [['/alarms', own] as const, ['/alarms/backtest', question] as const]) {
    const answer = await save(staff, path, body, 'POST')
    expect([answer.status, Object.keys(answer.body.fields)], path).toEqual([422, ['rule']])
  }
  await setMatrix(t, admin.companyId, 'staff', only('alarms.view', 'alarms.addOrEdit', 'devices.view'))
  expect((await save(staff, '/alarms', own, 'POST')).status).toBe(200)
})
