import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only, password, setMatrix } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { sweepRecords } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const hour = 3_600_000
const at = (ms: number) => new Date(t.clock.now().getTime() + ms)

async function team() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const device = (name: string, visibility: 'public' | 'private' = 'public') =>
    aDevice(t, { ...company, name, visibility, intervalS: 600 })
  const ask = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    token = admin.token,
  ) => t.call(method, path, { token, ...(body !== undefined && { body }) })
  return { company, admin, device, ask }
}
const names = (details: { devices: { name: string }[] }) => details.devices.map(({ name }) => name)

test('a record of a group begins with the devices the group has then, and keeps them', async () => {
  const { company, device, ask } = await team()
  const [one, two, three] = [await device('One'), await device('Two'), await device('Three')]
  const group = await buildGroup(t, company, { deviceIds: [one.id] })
  const made = await ask('POST', `/grouprecords/${group.id}`, { name: 'Night', startAt: at(hour).toISOString() })
  const { id } = made.body.payload
  const path = `/gammagrouprecord/${group.id}/${id}`
  await ask('PATCH', `/groups/${group.id}/devices/${two.id}`, {})
  expect(names((await ask('GET', path)).body.payload)).toEqual(['One', 'Two'])
  t.clock.advance(2 * hour)
  await sweepRecords.run(t.services, {})
  await ask('PATCH', `/groups/${group.id}/devices/${three.id}`, {})
  await ask('DELETE', `/groups/${group.id}/devices`, [String(one.id)])
  expect((await ask('GET', path)).body.payload).toMatchObject({ state: 'running', deviceCount: 2 })
  expect(names((await ask('GET', path)).body.payload)).toEqual(['One', 'Two'])
  const ended = await ask('PUT', '/grouprecord/end', { groupId: group.id, recordId: id })
  expect(ended.body.payload.state).toBe('ended')
  expect((await ask('GET', `/grouprecords/${group.id}`)).body.payload.meta.total).toBe(1)
  expect((await ask('GET', '/enterprise/records')).body.payload.meta.total).toBe(0)
})

test('a member sees the public devices of its group’s record by the group’s own calls, though they may not see devices', async () => {
  const { company, device, ask } = await team()
  const [open, secret] = [await device('Open'), await device('Secret', 'private')]
  const staff = await buildUser(t, { company, role: 'staff' })
  await setMatrix(t, company.companyId, 'staff', only('groups.view'))
  const group = await buildGroup(t, company, { deviceIds: [open.id, secret.id], userIds: [staff.id] })
  for (const own of [open, secret]) await pipeline.send(own, [{ at: at(-hour), temperatureC: 5, lat: 6.45, lon: 3.39 }])
  const body = { name: 'Watch', startAt: at(-2 * hour).toISOString(), endAt: at(-1).toISOString() }
  const { id } = (await ask('POST', `/grouprecords/${group.id}`, body)).body.payload
  const seen = (await ask('GET', `/gammagrouprecord/${group.id}/${id}`, undefined, staff.token)).body.payload
  expect([names(seen), seen.hiddenDevices, seen.contentSha256]).toEqual([['Open'], 1, null])
  const stats = await ask('GET', `/gammarecordstats/${group.id}/${id}/temperature`, undefined, staff.token)
  expect(stats.body.payload.data).toMatchObject([{ device: { name: 'Open' }, stats: { count: 1 } }])
  const { devices } = (await ask('GET', `/recordlocations/${group.id}/${id}`, undefined, staff.token)).body.payload
  expect(devices).toMatchObject([{ name: 'Open', first: { lat: 6.45 }, last: { lon: 3.39 }, fixes: 1 }])
  expect((await ask('GET', `/recordlocations/${group.id}/${id}`)).body.payload.devices).toHaveLength(2)
})

test('of a group’s record who is no member and may not see devices is told how many are kept from them, and counts nothing', async () => {
  const { company, device, ask } = await team()
  const open = await device('Open')
  const staff = await buildUser(t, { company, role: 'staff' })
  await setMatrix(t, company.companyId, 'staff', only('groups.view'))
  const group = await buildGroup(t, company, { deviceIds: [open.id] })
  const body = { name: 'Watch', startAt: at(-2 * hour).toISOString(), endAt: at(-1).toISOString() }
  await ask('POST', `/grouprecords/${group.id}`, body)
  const [told] = (await ask('GET', `/grouprecords/${group.id}`, undefined, staff.token)).body.payload.data
  expect([told.deviceCount, told.excursions]).toEqual([0, 0])
  const seen = (await ask('GET', `/gammagrouprecord/${group.id}/${told.id}`, undefined, staff.token)).body.payload
  expect([names(seen), seen.hiddenDevices, seen.deviceCount]).toEqual([[], 1, 0])
  const [known] = (await ask('GET', `/grouprecords/${group.id}`)).body.payload.data
  expect(known.deviceCount).toBe(1)
})

test('one chart holds a line of each device of a record, through it and no longer; those that are not for somebody are not in it', async () => {
  const { company, device, ask } = await team()
  const [open, hidden] = [await device('Open'), await device('Hidden', 'private')]
  const group = await buildGroup(t, company, { deviceIds: [open.id, hidden.id] })
  const readings = (temperatureC: number) => [-9, -8, -7, -2].map((hours) => ({ at: at(hours * hour), temperatureC }))
  await pipeline.send(open, readings(4))
  await pipeline.send(hidden, readings(8))
  const body = { name: 'Tour', startAt: at(-8.5 * hour).toISOString(), endAt: at(-6 * hour).toISOString() }
  const ofGroup = (await ask('POST', `/grouprecords/${group.id}`, body)).body.payload.id
  const ids = [String(open.id), String(hidden.id)]
  const own = (await ask('POST', '/enterprise/record', { ...body, name: 'Own', deviceIds: ids })).body.payload.id
  const byGroup = `/gammarecordchart/${group.id}/${ofGroup}`
  for (const path of [byGroup, `/enterprise/record/${ofGroup}/chart`, `/enterprise/record/${own}/chart`]) {
    const { payload } = (await ask('GET', path)).body
    expect(payload.band, path).toEqual({ min: [4, 4], mean: [6, 6], max: [8, 8] })
    expect(payload.lines.map((line: { name: string; values: number[] }) => [line.name, line.values])).toEqual([
      ['Hidden', [8, 8]],
      ['Open', [4, 4]],
    ])
  }
  const staff = await buildUser(t, { company, role: 'staff' })
  const seen = (await ask('GET', byGroup, undefined, staff.token)).body.payload
  expect([seen.devices, seen.band.max]).toEqual([1, [4, 4]])
  expect((await ask('GET', `/enterprise/record/${own}/chart`, undefined, staff.token)).status).toBe(404)
})

test('a record is not found by another group’s address, nor of a private group by who is no member', async () => {
  const { company, device, ask } = await team()
  const deviceIds = [(await device('One')).id]
  const [own, other] = [
    await buildGroup(t, company, { deviceIds, visibility: 'private' }),
    await buildGroup(t, company, { deviceIds }),
  ]
  const { id } = (await ask('POST', `/grouprecords/${own.id}`, { name: 'Hidden' })).body.payload
  expect((await ask('GET', `/gammagrouprecord/${other.id}/${id}`)).status).toBe(404)
  const manager = await buildUser(t, { company, role: 'manager' })
  expect((await ask('GET', `/gammagrouprecord/${own.id}/${id}`, undefined, manager.token)).status).toBe(404)
  expect((await ask('GET', `/enterprise/record/${id}`, undefined, manager.token)).status).toBe(404)
  const end = await ask('PUT', '/grouprecord/end', { groupId: own.id, recordId: id }, manager.token)
  expect(end.status).toBe(404)
})

test('a group without devices begins no record', async () => {
  const { company, ask } = await team()
  const group = await buildGroup(t, company)
  const now = await ask('POST', `/grouprecords/${group.id}`, { name: 'Empty' })
  expect([now.status, Object.keys(now.body.fields)]).toEqual([422, ['name']])
  const later = await ask('POST', `/grouprecords/${group.id}`, { name: 'Later', startAt: at(hour).toISOString() })
  const begun = await ask('PUT', '/grouprecord/start', { groupId: group.id, recordId: later.body.payload.id })
  expect(begun.body.code).toBe('RECORD_EMPTY')
})

test('a record of a group begins, ends and goes by the group’s calls only, and shows nothing to who may not see groups', async () => {
  const { company, device, ask } = await team()
  const group = await buildGroup(t, company, { deviceIds: [(await device('One')).id] })
  const { id } = (await ask('POST', `/grouprecords/${group.id}`, { name: 'Tour' })).body.payload
  const path = `/enterprise/record/${id}`
  expect((await ask('GET', path)).status).toBe(200)
  for (const verb of ['end', 'start'])
    expect((await ask('PUT', `/enterprise/record/${verb}/${id}`)).status, verb).toBe(404)
  expect((await ask('DELETE', path)).status).toBe(404)
  const staff = await buildUser(t, { company, role: 'staff' })
  await setMatrix(t, company.companyId, 'staff', only('devices.view'))
  for (const each of [path, `${path}/stats`, `${path}/reports`])
    expect((await ask('GET', each, undefined, staff.token)).status, each).toBe(404)
})

test('records of a group that is deleted stay among the records of devices: over, running and signed; those not begun are dropped', async () => {
  const { company, device, ask, admin } = await team()
  const one = await device('One')
  const group = await buildGroup(t, company, { name: 'Night shift', deviceIds: [one.id] })
  await pipeline.send(one, [{ at: at(-2 * hour), temperatureC: 5 }])
  const make = async (body: object) => (await ask('POST', `/grouprecords/${group.id}`, body)).body.payload.id as string
  const over = await make({ name: 'Over', startAt: at(-3 * hour).toISOString(), endAt: at(-hour).toISOString() })
  const running = await make({ name: 'Running' })
  const planned = await make({ name: 'Planned', startAt: at(hour).toISOString() })
  const { contentSha256 } = (await ask('GET', `/enterprise/record/${over}`)).body.payload
  const body = { meaning: 'approved', reason: 'Fine', password, contentSha256 }
  expect((await ask('POST', `/enterprise/record/${over}/signatures`, body)).status).toBe(200)
  expect((await ask('DELETE', `/groups/${group.id}`)).status).toBe(200)
  t.clock.advance(2 * hour)
  await sweepRecords.run(t.services, {})
  const staff = await buildUser(t, { company, role: 'staff' })
  for (const { token } of [admin, staff]) {
    const { data } = (await ask('GET', '/enterprise/records', undefined, token)).body.payload
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Running', 'Over'])
    expect(data[1]).toMatchObject({ group: null, formerGroup: 'Night shift', signature: { isVoid: false } })
    expect((await ask('GET', `/enterprise/record/${over}/chart`, undefined, token)).body.payload.devices).toBe(1)
  }
  expect((await ask('GET', `/enterprise/record/${planned}`)).status).toBe(404)
  expect((await ask('PUT', `/enterprise/record/end/${running}`)).body.payload.state).toBe('ended')
  expect((await ask('GET', `/gammagrouprecord/${group.id}/${over}`)).status).toBe(404)
})

test('records of a private group that is deleted are for Admins', async () => {
  const { company, device, ask } = await team()
  const staff = await buildUser(t, { company, role: 'staff' })
  const deviceIds = [(await device('One')).id]
  const group = await buildGroup(t, company, { visibility: 'private', deviceIds, userIds: [staff.id] })
  const { id } = (await ask('POST', `/grouprecords/${group.id}`, { name: 'Secret' })).body.payload
  const path = `/enterprise/record/${id}`
  expect((await ask('GET', path, undefined, staff.token)).status).toBe(200)
  await ask('DELETE', `/groups/${group.id}`)
  expect((await ask('GET', path, undefined, staff.token)).status).toBe(404)
  expect((await ask('GET', path)).status).toBe(200)
})
