import type { Permission } from '@isotherm/contract/permissions.ts'
import { describe, expect, test } from 'vitest'
import { aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice, manyDevices } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'

const t = describeApp()

const payload = async (path: string, token: string, query: Record<string, string> = {}) => {
  const { status, body } = await t.call('GET', path, { token, query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}
const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, token: string, body: object = {}) =>
  t.call(method, path, { token, body })
const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

async function own() {
  const admin = await buildUser(t)
  const company = { companyId: admin.companyId }
  const van = await aDevice(t, { ...company, name: 'Van' })
  const box = await aDevice(t, { ...company, name: 'Box' })
  const vault = await aDevice(t, { ...company, name: 'Vault', visibility: 'private' })
  const staffWith = async (...granted: Permission[]) => {
    await setMatrix(t, company.companyId, 'staff', only(...granted))
    return buildUser(t, { company, role: 'staff' })
  }
  return { admin, company, van, box, vault, staffWith }
}

test('many people who make the same group at once make it once, and nobody gets a 500', async () => {
  const { admin } = await own()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => send('POST', '/groups', admin.token, { name: 'Race' })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
})

describe('who may not see devices', () => {
  test('sees nothing of the devices of a public group they are not in', async () => {
    const { company, van, staffWith } = await own()
    const staff = await staffWith('groups.view')
    const mine = await buildGroup(t, company, { deviceIds: [van.id], userIds: [staff.id] })
    const theirs = await buildGroup(t, company, { deviceIds: [van.id] })
    expect((await t.call('GET', '/devices', { token: staff.token })).status).toBe(403)
    expect(await payload(`/groups/${mine.id}`, staff.token)).toMatchObject({ deviceCount: 1 })
    expect(names(await payload(`/groups/${mine.id}/devices`, staff.token))).toEqual(['Van'])
    expect(await payload(`/groups/${theirs.id}`, staff.token)).toMatchObject({ deviceCount: 0 })
    expect((await payload(`/groups/${theirs.id}/overview`, staff.token)).devices).toEqual([])
    expect(names(await payload(`/groups/${theirs.id}/devices`, staff.token))).toEqual([])
    expect(await payload(`/groupStats/${theirs.id}`, staff.token)).toMatchObject({ temperature: { devices: 0 } })
  })
})

test('a private group that somebody may not see filters nothing for them: neither devices, triggers nor alarms', async () => {
  const { admin, company, van, staffWith } = await own()
  const staff = await staffWith('groups.view', 'devices.view', 'alarms.view', 'alarms.addOrEdit')
  const group = await buildGroup(t, company, { visibility: 'private', deviceIds: [van.id] })
  await aTrigger(t, company, { deviceId: van.id })
  const alarm = {
    name: 'Warm',
    rule: { kind: 'value', temperatureMaxC: 8 },
    groupIds: [group.id],
    recipients: [{ userId: admin.id, channels: ['app'] }],
  }
  const made = await send('POST', '/alarms', admin.token, alarm)
  expect(made.status).toBe(200)
  for (const path of ['/devices', '/alarm-triggers', '/alarms']) {
    expect((await payload(path, admin.token, { group: group.id })).data, path).toHaveLength(1)
    expect((await payload(path, staff.token, { group: group.id })).data, path).toEqual([])
  }
  expect(await payload(`/alarms/${made.body.payload.id}`, staff.token)).toMatchObject({ groups: [] })
  const refused = await send('POST', '/alarms', staff.token, alarm)
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['groupIds.0']])
})

test('who changes the devices of an alarm takes no group off it that they cannot see', async () => {
  const { admin, company, van, box, staffWith } = await own()
  const staff = await staffWith('devices.view', 'alarms.view', 'alarms.addOrEdit')
  const group = await buildGroup(t, company, { visibility: 'private', deviceIds: [van.id] })
  const { body } = await send('POST', '/alarms', admin.token, {
    name: 'Warm',
    rule: { kind: 'value', temperatureMaxC: 8 },
    groupIds: [group.id],
    recipients: [{ userId: admin.id, channels: ['app'] }],
  })
  const path = `/alarms/${body.payload.id}`
  const changed = await send('PATCH', path, staff.token, { deviceIds: [String(box.id)], groupIds: [] })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect(await payload(path, admin.token)).toMatchObject({ groups: [{ id: group.id }], deviceCount: 2 })
})

test('the list of devices is narrowed to a group, and to what is not in it yet', async () => {
  const { admin, company, van } = await own()
  const group = await buildGroup(t, company, { deviceIds: [van.id] })
  expect(names(await payload('/devices', admin.token, { group: group.id }))).toEqual(['Van'])
  expect(names(await payload('/devices', admin.token, { notInGroup: group.id }))).toEqual(['Box', 'Vault'])
  const stranger = await buildUser(t)
  expect(names(await payload('/devices', stranger.token, { group: group.id }))).toEqual([])
})

test('mail addresses of members are for those who may see the team, in the list and in its search', async () => {
  const { admin, company, staffWith } = await own()
  const staff = await staffWith('groups.view')
  const group = await buildGroup(t, company, { userIds: [staff.id, admin.id] })
  const path = `/groups/${group.id}/users`
  const emails = async (token: string, search = '') =>
    (await payload(path, token, { search })).data.map(({ email }: { email: string | null }) => email)
  expect(await emails(staff.token)).toEqual([null, null])
  expect(await emails(staff.token, staff.email)).toEqual([])
  expect(await emails(admin.token, staff.email)).toEqual([staff.email])
})

test('in a company of 10,000 devices a group of 500 answers with its own 500', async () => {
  const { admin, company } = await own()
  const ids = await manyDevices(t, company, 10_000)
  const group = await buildGroup(t, company, { deviceIds: ids.slice(0, 500) })
  expect((await payload(`/groups/${group.id}/overview`, admin.token)).devices).toHaveLength(500)
  expect((await payload('/groups', admin.token)).data).toMatchObject([{ deviceCount: 500, outOfRange: 0 }])
  expect((await payload(`/groups/${group.id}/devices`, admin.token, { search: 'Unit 12' })).meta.total).toBe(11)
  expect((await payload('/devices', admin.token, { notInGroup: group.id })).meta.total).toBe(9503)
})

test('many devices are added at once, all or none; those in it already do not count', async () => {
  const { admin, company, van, box, vault } = await own()
  const group = await buildGroup(t, company, { deviceIds: [van.id] })
  const path = `/groups/${group.id}/devices`
  const theirs = await aDevice(t)
  const add = (...ids: number[]) => send('POST', path, admin.token, { deviceIds: ids.map(String) })
  expect((await add(box.id, theirs.id)).status).toBe(422)
  expect((await payload(path, admin.token)).meta.total).toBe(1)
  expect((await add(van.id, box.id, vault.id, box.id)).body.payload).toEqual({ added: 2 })
  expect((await add(van.id, box.id)).body.payload).toEqual({ added: 0 })
  expect((await payload(path, admin.token)).meta.total).toBe(3)
})
