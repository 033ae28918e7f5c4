import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice, manyDevices } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { readsOf } from '../../../test/reads-of.ts'

const t = describeApp()

async function scene() {
  const admin = await buildUser(t)
  const guard = await buildUser(t, { company: admin, role: 'staff', fullname: 'Night guard' })
  const device = await aDevice(t, { companyId: admin.companyId, name: 'Vaccine fridge' })
  const ask = async (path: string, user: TestUser = admin) =>
    (await t.call('GET', path, { token: user.token })).body.payload
  const add = async (body: object) => (await t.call('POST', '/alarms', { token: admin.token, body })).body.payload
  const value = {
    name: 'Too warm',
    deviceIds: [String(device.id)],
    recipients: [{ userId: guard.id, channels: ['app'] }],
    rule: { kind: 'value', temperatureMaxC: 8 },
  }
  return { admin, guard, device, ask, add, value }
}
const oncall = (value: object) => ({ ...value, recipients: [{ email: 'oncall@example.test' }] })
const faultsOf = async (ask: (path: string) => Promise<{ faults: string[] }>, id: string) =>
  (await ask(`/alarms/${id}`)).faults

test('an alarm says that it tells nobody once its only recipient is removed, and the removal names it before', async () => {
  const { admin, guard, ask, add, value } = await scene()
  const { id, faults } = await add(value)
  expect(faults).toEqual([])
  expect(await ask(`/alarms/silenced?without=user&id=${guard.id}`)).toEqual([{ id, name: 'Too warm' }])
  expect(await ask(`/alarms/silenced?without=user&id=${admin.id}`)).toEqual([])
  await t.call('DELETE', `/users/${guard.id}`, { token: admin.token })
  expect(await faultsOf(ask, id)).toEqual(['tellsNobody'])
  expect((await ask('/alarms?faulty=true')).data).toMatchObject([{ id }])
  expect((await ask('/users/dashboard')).alarms.faulty).toBe(1)
})

test('an SMS to a person without a number reaches nobody', async () => {
  const { guard, ask, add, value } = await scene()
  const { id } = await add({ ...value, recipients: [{ userId: guard.id, channels: ['sms'] }] })
  expect(await faultsOf(ask, id)).toEqual(['tellsNobody'])
})

test('a raw address is somebody who hears of it', async () => {
  const { guard, ask, add, value } = await scene()
  const recipients = [{ email: 'oncall@example.test' }, { userId: guard.id, channels: ['app'] }]
  const { id, faults } = await add({ ...value, recipients })
  expect(faults).toEqual([])
  expect(await ask(`/alarms/silenced?without=user&id=${guard.id}`)).toEqual([])
  expect(await faultsOf(ask, id)).toEqual([])
})

test('an alarm says that it watches nothing once its only device is out of use', async () => {
  const { admin, device, ask, add, value } = await scene()
  const { id } = await add(value)
  expect(await ask(`/alarms/silenced?without=device&id=${device.id}`)).toMatchObject([{ id }])
  await t.call('PUT', `/devices/${device.id}/decommission`, { token: admin.token, body: {} })
  expect(await faultsOf(ask, id)).toEqual(['watchesNothing'])
})

test('an alarm of a group says that it watches nothing once the group is deleted, and the deletion names it before', async () => {
  const { admin, device, ask, add, value } = await scene()
  const body = { name: 'Ward', deviceIds: [String(device.id)] }
  const group = (await t.call('POST', '/groups', { token: admin.token, body })).body.payload
  const { id } = await add({ ...value, deviceIds: [], groupIds: [group.id] })
  expect(await ask(`/alarms/silenced?without=group&id=${group.id}`)).toMatchObject([{ id }])
  await t.call('DELETE', `/groups/${group.id}`, { token: admin.token })
  expect(await faultsOf(ask, id)).toEqual(['watchesNothing'])
})

test('a fence alarm says that its place was deleted, and the deletion names it before', async () => {
  const { admin, ask, add, value } = await scene()
  const area = { kind: 'circle', centre: { lat: 6.45, lon: 3.39 }, radiusM: 200 }
  const body = { name: 'Yard', colour: 'red', area, notify: { in: false, out: false } }
  const fence = (await t.call('POST', '/geofence', { token: admin.token, body })).body.payload
  const { id } = await add({ ...value, rule: { kind: 'fence', direction: 'out', geofenceIds: [fence.id] } })
  expect(await ask(`/alarms/silenced?without=geofence&id=${fence.id}`)).toMatchObject([{ id }])
  await t.call('DELETE', `/geofence/${fence.id}`, { token: admin.token })
  expect(await faultsOf(ask, id)).toEqual(['placeDeleted'])
})

test('an alarm of a private device works also where the reader may not see the device; a private alarm is named to Admins only', async () => {
  const { admin, guard, ask, add, value } = await scene()
  const hidden = await aDevice(t, { companyId: admin.companyId, visibility: 'private' })
  const open = await add({ ...value, deviceIds: [String(hidden.id)] })
  expect((await ask(`/alarms/${open.id}`, guard)).faults).toEqual([])
  const boss = await buildUser(t, { company: admin })
  const recipients = [{ userId: boss.id, channels: ['app'] }]
  await add({ ...value, recipients })
  await add({ ...value, recipients, name: 'Secret', visibility: 'private' })
  const names = async (user: TestUser) =>
    ((await ask(`/alarms/silenced?without=user&id=${boss.id}`, user)) as { name: string }[]).map(({ name }) => name)
  expect(await names(admin)).toEqual(['Secret', 'Too warm'])
  expect(await names(guard)).toEqual(['Too warm'])
})

test('people who have not joined, or whose role may not see alarms or devices, hear of nothing', async () => {
  const { admin, guard, ask, add, value } = await scene()
  const invite = { fullname: 'New one', email: `new.${admin.id}@example.test`, role: 'staff' }
  const { id: invited } = (await t.call('POST', '/users', { token: admin.token, body: invite })).body.payload
  const waiting = await add({ ...value, recipients: [{ userId: invited, channels: ['mail'] }] })
  expect(waiting.faults).toEqual(['tellsNobody'])
  const { id, faults } = await add(value)
  expect(faults).toEqual([])
  for (const lacking of ['alarms.view', 'devices.view'] as const) {
    const other = lacking === 'alarms.view' ? 'devices.view' : 'alarms.view'
    await setMatrix(t, admin.companyId, 'staff', only(other))
    expect(await faultsOf(ask, id), lacking).toEqual(['tellsNobody'])
    expect(await ask(`/alarms/silenced?without=user&id=${guard.id}`)).toEqual([])
  }
})

test('an alarm of private devices alone tells nobody without an Admin or an address of one', async () => {
  const { admin, guard, device, ask, add, value } = await scene()
  const boss = await buildUser(t, { company: admin })
  const own = await add(value)
  const watched = (await add({ ...value, recipients: [...value.recipients, { userId: boss.id, channels: ['app'] }] }))
    .id
  const address = (await t.call('POST', '/alarms', { token: boss.token, body: oncall(value) })).body.payload.id
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { visibility: 'private' } })
  expect(await faultsOf(ask, own.id)).toEqual(['tellsNobody'])
  expect(await faultsOf(ask, watched)).toEqual([])
  expect(await faultsOf(ask, address)).toEqual([])
  expect((await ask('/alarms?faulty=true')).data).toMatchObject([{ id: own.id }])
  expect((await ask('/users/dashboard')).alarms.faulty).toBe(1)
  // A person who may not see private things does not learn from it that there are some.
  expect((await ask(`/alarms/${own.id}`, guard)).faults).toEqual([])
  const named = (await ask(`/alarms/silenced?without=user&id=${boss.id}`)) as { id: string }[]
  expect(named.map(({ id }) => id).sort()).toEqual([watched, address].sort())
  await t.call('DELETE', `/users/${boss.id}`, { token: admin.token })
  expect(await faultsOf(ask, address)).toEqual(['tellsNobody'])
})

test('the search finds an alarm by the name of a device that it watches, if the person may see the device', async () => {
  const { admin, guard, ask, add, value } = await scene()
  const hidden = await aDevice(t, { companyId: admin.companyId, name: 'Secret vault', visibility: 'private' })
  const { id } = await add({ ...value, deviceIds: [...value.deviceIds, String(hidden.id)] })
  const found = async (search: string, user = admin) =>
    ((await ask(`/alarms?search=${search}`, user)).data as { id: string }[]).map((alarm) => alarm.id)
  expect(await found('vaccine')).toEqual([id])
  expect(await found('vault')).toEqual([id])
  expect(await found('vault', guard)).toEqual([])
})

test('whether alarms watch anything is asked of what they watch, and not of every device of the company', async () => {
  const { admin, ask, add, value } = await scene()
  const others = 300
  await manyDevices(t, admin, others)
  const last = await aDevice(t, { companyId: admin.companyId, name: 'Last' })
  const alarms = 8
  for (let n = 0; n < alarms; n += 1) await add({ ...value, name: `Alarm ${n}`, deviceIds: [String(last.id)] })
  await t.pool.query('analyze devices, alarm_targets')
  const { rows } = await readsOf(t.pool, admin, { table: 'devices', having: 'count(*)::int as n from alarms a' }, () =>
    ask('/users/dashboard'),
  )
  expect(rows).toBeLessThan(2 * others)
})

test('the last page of the list reads what its own alarms need, and not what those before them do', async () => {
  const { admin, ask, add, value } = await scene()
  const alarms = 12
  for (let n = 0; n < alarms; n += 1) await add({ ...value, name: `Alarm ${n}` })
  const { scans } = await readsOf(t.pool, admin, { table: 'alarm_recipients', having: 'as recipients' }, () =>
    ask(`/alarms?perPage=2&page=${alarms / 2}`),
  )
  expect(scans).toBeLessThan(alarms)
})
