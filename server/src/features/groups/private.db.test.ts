import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'

const t = describeApp()

const fieldsOf = ({ status, body }: { status: number; body: { fields?: object } }) => [
  status,
  Object.keys(body.fields ?? {}),
]
const asks = (user: TestUser) => (method: 'POST' | 'PATCH', path: string, body: object) =>
  t.call(method, path, { token: user.token, body })

test('only an Admin makes a group or a device private, or public again', async () => {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const device = await aDevice(t, { companyId: admin.companyId })
  const [boss, other] = [asks(admin), asks(manager)]
  const hide = { visibility: 'private' }
  const refused = [422, ['visibility']]
  expect(fieldsOf(await other('POST', '/groups', { name: 'Mine', ...hide }))).toEqual(refused)
  const group = (await other('POST', '/groups', { name: 'Ours', userIds: [manager.id] })).body.payload
  expect(fieldsOf(await other('PATCH', `/groups/${group.id}`, hide))).toEqual(refused)
  expect(fieldsOf(await other('PATCH', `/devices/${device.id}`, hide))).toEqual(refused)
  expect((await boss('PATCH', `/groups/${group.id}`, hide)).status).toBe(200)
  expect((await boss('PATCH', `/devices/${device.id}`, hide)).status).toBe(200)
  // Its member may rename it, as it is.
  expect((await other('PATCH', `/groups/${group.id}`, { name: 'Still ours', ...hide })).status).toBe(200)
  expect(fieldsOf(await other('PATCH', `/groups/${group.id}`, { visibility: 'public' }))).toEqual(refused)
  const [{ imei, code }, licenceKey] = [await buildHardware(t), await buildKey(t)]
  expect(fieldsOf(await other('POST', '/devices/setup', { imei, licenceKey, name: 'New', ...hide }))).toEqual(refused)
  const csv = `imei,claimCode,licenceKey,name,visibility\n${imei},${code},${licenceKey},New,private\n`
  const { payload } = (await other('POST', '/devices/setup/bulk', { csv, dryRun: false })).body
  expect(payload).toMatchObject({ applied: false, rows: [{ verdict: 'error', problems: [{ column: 'visibility' }] }] })
})

test('who chooses the members of a group must view devices themselves (L8)', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const device = await aDevice(t, { companyId: admin.companyId })
  await setMatrix(t, admin.companyId, 'staff', only('groups.view', 'groups.addOrEdit'))
  const ask = asks(staff)
  const group = (await ask('POST', '/groups', { name: 'Empty' })).body.payload
  expect(fieldsOf(await ask('PATCH', `/groups/${group.id}/devices/${device.id}`, {}))).toEqual([422, ['deviceIds']])
  expect(fieldsOf(await ask('PATCH', `/groups/${group.id}/users/${staff.id}`, {}))).toEqual([422, ['userIds']])
  expect(fieldsOf(await ask('POST', '/groups', { name: 'Own', userIds: [staff.id] }))).toEqual([422, ['userIds']])
  await setMatrix(t, admin.companyId, 'staff', only('groups.view', 'groups.addOrEdit', 'devices.view'))
  expect((await ask('PATCH', `/groups/${group.id}/devices/${device.id}`, {})).status).toBe(200)
})
