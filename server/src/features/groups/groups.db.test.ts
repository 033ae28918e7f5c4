import type { GroupChart, GroupDevice, GroupStats } from '@isotherm/contract/groups.ts'
import { describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice, manyDevices } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only, setMatrix } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
async function team() {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const device = (name: string, visibility: 'public' | 'private' = 'public') =>
    aDevice(t, { ...company, name, visibility, intervalS: 600 })
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, token = admin.token) =>
    t.call(method, path, { token, ...(body !== undefined && { body }) })
  const limits = (id: number, temperatureMaxC: number) =>
    ask('PATCH', `/devices/${id}`, { limits: { temperatureMinC: 2, temperatureMaxC } })
  /** Readings ten minutes apart, the last one now. */
  const measured = (device: { imei: string; secret: string; companyId: number; id: number }, values: number[]) =>
    pipeline.send(
      device,
      values.map((temperatureC, i) => ({
        at: new Date(t.clock.now().getTime() - (values.length - 1 - i) * 10 * minute),
        temperatureC,
      })),
    )
  return { company, admin, staff, device, ask, limits, measured }
}
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

describe('a group', () => {
  test('is made, found, renamed and deleted; its devices stay', async () => {
    const { company, device, ask } = await team()
    const [one, two] = [await device('One'), await device('Two')]
    const made = await ask('POST', '/groups', { name: 'Cold rooms', deviceIds: [String(one.id), String(two.id)] })
    expect(made.body.payload).toMatchObject({ name: 'Cold rooms', visibility: 'public', deviceCount: 2, limits: null })
    const { id } = made.body.payload
    expect((await ask('GET', '/groups?search=COLD')).body.payload.meta.total).toBe(1)
    expect((await ask('PATCH', `/groups/${id}`, { name: 'Cool rooms' })).body.payload.name).toBe('Cool rooms')
    const twin = await ask('POST', '/groups', { name: 'cool ROOMS' })
    expect([twin.status, Object.keys(twin.body.fields)]).toEqual([422, ['name']])
    expect((await ask('DELETE', `/groups/${id}`)).status).toBe(200)
    expect((await ask('GET', `/groups/${id}`)).status).toBe(404)
    expect((await ask('GET', '/devices')).body.payload.meta.total).toBe(2)
    expect((await ask('POST', '/groups', { name: 'Cool rooms' })).status).toBe(200)
    expect(company.companyId).toBeGreaterThan(0)
  })

  test('takes devices and people that are in others too, and gives back only who is in it', async () => {
    const { staff, device, ask, company } = await team()
    const one = await device('One')
    const [a, b] = [await buildGroup(t, company), await buildGroup(t, company, { deviceIds: [one.id] })]
    expect((await ask('PATCH', `/groups/${a.id}/devices/${one.id}`, {})).body.payload.name).toBe('One')
    expect((await ask('PATCH', `/groups/${a.id}/devices/${one.id}`, {})).status).toBe(200)
    expect((await ask('PATCH', `/groups/${a.id}/users/${staff.id}`)).body.payload.fullname).toBe(staff.fullname)
    expect((await ask('GET', `/groups/${a.id}`)).body.payload).toMatchObject({ deviceCount: 1, userCount: 1 })
    expect((await ask('DELETE', `/groups/${a.id}/devices`, [String(one.id), '999999'])).status).toBe(200)
    expect((await ask('DELETE', `/groups/${a.id}/users`, [staff.id])).status).toBe(200)
    expect((await ask('GET', `/groups/${a.id}`)).body.payload).toMatchObject({ deviceCount: 0, userCount: 0 })
    expect((await ask('GET', `/groups/${b.id}`)).body.payload.deviceCount).toBe(1)
  })

  test('takes nothing of another company, and nothing half', async () => {
    const { device, ask, company } = await team()
    const own = await device('Own')
    const stranger = await aDevice(t)
    const refused = await ask('POST', '/groups', { name: 'Mixed', deviceIds: [String(own.id), String(stranger.id)] })
    expect(refused.status).toBe(422)
    expect((await ask('GET', '/groups')).body.payload.meta.total).toBe(0)
    const group = await buildGroup(t, company)
    expect((await ask('PATCH', `/groups/${group.id}/devices/${stranger.id}`, {})).status).toBe(404)
    const other = await buildUser(t)
    expect((await ask('PATCH', `/groups/${group.id}/users/${other.id}`)).status).toBe(404)
  })

  test('that is private is seen by Admins and its members', async () => {
    const { staff, ask, company } = await team()
    const group = await buildGroup(t, company, { visibility: 'private' })
    const seen = async () => [
      (await ask('GET', '/groups', undefined, staff.token)).body.payload.meta.total,
      (await ask('GET', `/groups/${group.id}/overview`, undefined, staff.token)).status,
    ]
    expect(await seen()).toEqual([0, 404])
    await ask('PATCH', `/groups/${group.id}/users/${staff.id}`)
    expect(await seen()).toEqual([1, 200])
  })
})

test('members who may not see devices see the group’s public ones through the group, and never a private one', async () => {
  const { company, staff, admin, device } = await team()
  const [open, hidden] = [await device('Open'), await device('Hidden', 'private')]
  await setMatrix(t, company.companyId, 'staff', only('groups.view'))
  const group = await buildGroup(t, company, { deviceIds: [open.id, hidden.id], userIds: [staff.id] })
  const of = async (token: string) =>
    names((await t.call('GET', `/groups/${group.id}/devices`, { token })).body.payload.data as GroupDevice[])
  expect((await t.call('GET', '/devices', { token: staff.token })).status).toBe(403)
  expect(await of(staff.token)).toEqual(['Open'])
  expect(await of(admin.token)).toEqual(['Hidden', 'Open'])
  const overview = (await t.call('GET', `/groups/${group.id}/overview`, { token: staff.token })).body.payload
  expect(JSON.stringify(overview)).not.toContain('Hidden')
  expect(overview.group.deviceCount).toBe(1)
})

test('the overview has what is out of range first, then what is silent', async () => {
  const { company, device, ask, limits, measured } = await team()
  const all = [await device('A fine'), await device('B silent'), await device('C warm'), await device('D new')]
  const [fine, silent, warm] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]]
  for (const one of all) await limits(one.id, 8)
  await measured(silent, [5])
  t.clock.advance(60 * minute)
  await measured(fine, [5])
  await measured(warm, [5, 9])
  const group = await buildGroup(t, company, { deviceIds: all.map(({ id }) => id) })
  const { payload } = (await ask('GET', `/groups/${group.id}/overview`)).body
  expect(names(payload.devices)).toEqual(['C warm', 'B silent', 'A fine', 'D new'])
  expect(payload).toMatchObject({ inRange: 1, outOfRange: 1, silent: 1, byStatus: { awaiting: 1 } })
  expect(payload.devices[0]).toMatchObject({ temperatureC: 9, judgement: { temperature: 'above' } })
})

test('devices that were chosen stand on one chart, each with its limits; those that one does not see are left out', async () => {
  const { admin, staff, device, ask, measured, limits } = await team()
  const [one, two, hidden] = [await device('One'), await device('Two'), await device('Hidden')]
  await limits(two.id, 7)
  await ask('PATCH', `/devices/${hidden.id}`, { visibility: 'private' })
  const stranger = await buildUser(t)
  for (const each of [one, two, hidden]) await measured(each, [2, 4])
  const to = t.clock.now().toISOString()
  const from = new Date(t.clock.now().getTime() - 1440 * minute).toISOString()
  const linesOf = async (token: string, ids: number[]) => {
    const query = { from, to, ids: ids.join() }
    const { status, body } = await t.call('GET', '/devices/compare', { token, query })
    expect(status, JSON.stringify(body)).toBe(200)
    return (body.payload as GroupChart).lines
  }
  const all = [two.id, one.id, hidden.id, 999_999_999_999]
  expect(await linesOf(admin.token, all)).toMatchObject([{ name: 'Hidden' }, { name: 'One' }, { name: 'Two' }])
  const [first, second, ...more] = await linesOf(staff.token, all)
  expect([first?.name, first?.values.filter((value) => value !== null)]).toEqual(['One', [2, 4]])
  expect([second?.name, second?.limits, more]).toEqual(['Two', { min: 2, max: 7 }, []])
  expect(await linesOf(stranger.token, all)).toEqual([])
  const many = { from, to, ids: Array.from({ length: 11 }, (_, index) => index + 1).join() }
  expect((await t.call('GET', '/devices/compare', { token: staff.token, query: many })).status).toBe(422)
})

test('one chart holds a line of each device with its limits, and a band over them all', async () => {
  const { company, device, ask, measured, limits } = await team()
  const [one, two] = [await device('One'), await device('Two')]
  await limits(one.id, 8)
  await measured(one, [2, 4, 6])
  await measured(two, [8, 8, 9])
  const group = await buildGroup(t, company, { deviceIds: [one.id, two.id] })
  const to = t.clock.now().toISOString()
  const day = new Date(t.clock.now().getTime() - 1440 * minute).toISOString()
  const chart: GroupChart = (await ask('GET', `/groups/${group.id}/chart?from=${day}&to=${to}`)).body.payload
  expect(chart.lines.map(({ name }) => name)).toEqual(['One', 'Two'])
  expect(chart.lines[0]?.values.filter((value) => value !== null)).toEqual([2, 4, 6])
  expect(chart.lines[0]?.limits).toEqual({ min: 2, max: 8 })
  const last = chart.atMs.length - 1
  expect([chart.band.min[last], chart.band.mean[last], chart.band.max[last]]).toEqual([6, 7.5, 9])
  const year = new Date(t.clock.now().getTime() - 365 * 1440 * minute).toISOString()
  const coarse: GroupChart = (await ask('GET', `/groups/${group.id}/chart?from=${year}&to=${to}`)).body.payload
  expect(coarse.bucketS).toBeGreaterThanOrEqual(3600)
  expect([Math.min(...(coarse.band.min as number[])), Math.max(...(coarse.band.max as number[]))]).toEqual([2, 9])
})

test('beyond 200 devices only the band is drawn; what a lapsed licence hides is neither in it nor in a line', async () => {
  const { company, device, ask, measured } = await team()
  const [one, two, lapsed] = [await device('One'), await device('Two'), await device('Lapsed')]
  await measured(one, [2, 4, 6])
  await measured(two, [8, 8, 9])
  await measured(lapsed, [30, 30, 30])
  const licenceUntil = new Date(t.clock.now().getTime() - 40 * 1440 * minute)
  await t.change(company.companyId, 'update devices set licence_until = $2 where id = $1', [lapsed.id, licenceUntil])
  const rest = await manyDevices(t, company, 198)
  const group = await buildGroup(t, company, { deviceIds: [one.id, two.id, lapsed.id, ...rest.slice(0, 197)] })
  const chart = async (days: number): Promise<GroupChart> => {
    const from = new Date(t.clock.now().getTime() - days * 1440 * minute).toISOString()
    const period = new URLSearchParams({ from, to: t.clock.now().toISOString() })
    return (await ask('GET', `/groups/${group.id}/chart?${period}`)).body.payload
  }
  const lines = await chart(1)
  const hours = await chart(3)
  expect([lines.devices, lines.lines.length, hours.lines.length, hours.bucketS]).toEqual([200, 200, 200, 3600])
  const hidden = lines.lines.find(({ name }) => name === 'Lapsed')
  expect(hidden?.values.every((value) => value === null)).toBe(true)
  await ask('PATCH', `/groups/${group.id}/devices/${rest[197]}`, {})
  const band = await chart(1)
  expect([band.devices, band.lines]).toEqual([201, []])
  expect(band.band).toEqual(lines.band)
  expect((await chart(3)).band).toEqual(hours.band)
  expect([Math.min(...(hours.band.min as number[])), Math.max(...(hours.band.max as number[]))]).toEqual([2, 9])
  expect([Math.min(...(band.band.min as number[])), Math.max(...(band.band.max as number[]))]).toEqual([2, 9])
})

test('statistics are each device’s own, and the group’s are those of all their readings', async () => {
  const { company, device, ask, limits, measured } = await team()
  const [one, two] = [await device('One'), await device('Two')]
  for (const { id } of [one, two]) await limits(id, 8)
  t.clock.advance(180 * minute)
  await measured(one, [2, 4, 6, 3, 3, 3, 3, 3, 3])
  await measured(two, [8, 8, 12, 12, 5])
  const group = await buildGroup(t, company, { deviceIds: [one.id, two.id] })
  const stats: GroupStats = (await ask('GET', `/group/temperature/${group.id}`)).body.payload
  expect(stats.data.map(({ device: { name }, stats: { count, max } }) => [name, count, max?.value])).toEqual([
    ['One', 9, 6],
    ['Two', 5, 12],
  ])
  expect(stats.totals).toMatchObject({ devices: 2, measuring: 2, outOfRange: 1, readings: 14, min: 2, max: 12 })
  expect(stats.totals.average).toBeCloseTo(75 / 14, 9)
  expect(stats.totals).toMatchObject({ excursions: 1, aboveMs: 20 * minute, belowMs: 0 })
  const period = {
    from: new Date(t.clock.now().getTime() - 15 * minute).toISOString(),
    to: t.clock.now().toISOString(),
  }
  const short: GroupStats = (await ask('POST', `/group/devices/${group.id}/temperature`, period)).body.payload
  expect(short.totals).toMatchObject({ readings: 4, min: 3, max: 12 })
  const own = (await ask('GET', `/devices/${two.id}/stats?from=${period.from}&to=${period.to}`)).body.payload
  expect(short.data[1]?.stats).toEqual(own.temperature)
  expect((await ask('POST', `/group/devices/${group.id}/light`, period)).status).toBe(404)
})

test('default limits change no device until somebody says so, and then from now on', async () => {
  const { company, device, ask, limits } = await team()
  const one = await device('One')
  await limits(one.id, 8)
  const group = await buildGroup(t, company, { deviceIds: [one.id] })
  const none = await ask('PATCH', `/groups/${group.id}`, { applyLimits: true })
  expect([none.status, none.body.code]).toEqual([400, 'LIMITS_NEEDED'])
  await ask('PATCH', `/groups/${group.id}`, { limits: { preset: 'roomTemperature' } })
  const of = async () => (await ask('GET', `/devices/${one.id}`)).body.payload.limits.temperatureMaxC
  expect(await of()).toBe(8)
  t.clock.advance(minute)
  await ask('PATCH', `/groups/${group.id}`, { applyLimits: true })
  expect(await of()).toBe(25)
  const two = await device('Two')
  t.clock.advance(minute)
  const added = await ask('PATCH', `/groups/${group.id}/devices/${two.id}`, { applyLimits: true })
  expect(added.body.payload.limits).toMatchObject({ temperatureMinC: 15, temperatureMaxC: 25 })
})

test('an alarm on a group fires for whoever is in it when the reading comes', async () => {
  const { company, device, ask, measured, admin } = await team()
  const [inside, outside] = [await device('Inside'), await device('Outside')]
  const group = await buildGroup(t, company, { deviceIds: [inside.id] })
  const alarm = await anAlarm(t, admin, { name: 'Group alarm' })
  await ask('PATCH', `/alarms/${alarm.id}`, { groupIds: [group.id] })
  t.clock.advance(minute)
  await measured(inside, [12])
  await measured(outside, [12])
  const fired = async () =>
    (await ask('GET', '/alarm-triggers')).body.payload.data.map((row: { deviceName: string }) => row.deviceName)
  expect(await fired()).toEqual(['Inside'])
  await ask('PATCH', `/groups/${group.id}/devices/${outside.id}`, {})
  t.clock.advance(10 * minute)
  await measured(outside, [13])
  expect((await fired()).sort()).toEqual(['Inside', 'Outside'])
})

test('an empty group has an overview, a chart and figures of nothing', async () => {
  const { company, ask } = await team()
  const group = await buildGroup(t, company)
  const period = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
  expect((await ask('GET', `/groups/${group.id}/overview`)).body.payload.devices).toEqual([])
  expect((await ask('GET', `/groups/${group.id}/chart?${period}`)).body.payload).toMatchObject({ atMs: [], lines: [] })
  expect((await ask('GET', `/groupStats/${group.id}`)).body.payload.temperature).toMatchObject({
    devices: 0,
    readings: 0,
    average: null,
  })
  const wrong = await ask('GET', `/groups/${group.id}/chart?from=2026-01-03T00:00:00Z&to=2026-01-02T00:00:00Z`)
  expect(wrong.status).toBe(422)
})
