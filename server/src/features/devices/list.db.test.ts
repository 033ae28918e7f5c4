import type { Device } from '@isotherm/contract/devices.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms)
const list = async (token: string, query: Record<string, string> = {}) =>
  (await t.call('GET', '/devices', { token, query })).body.payload as { data: Device[]; meta: { total: number } }
const names = async (token: string, query: Record<string, string> = {}) =>
  (await list(token, query)).data.map(({ name }) => name)
const set = (id: number, column: string, value: unknown) =>
  pipelineQuery(`update devices set ${column} = $2 where id = $1`, [id, value])

async function pipelineQuery(text: string, values: unknown[]) {
  const client = await t.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role pipeline')
    const result = await client.query(text, values)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

async function fleet() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const staff = await buildUser(t, { company, role: 'staff' })
  const device = (given: Parameters<typeof aDevice>[1] = {}) => aDevice(t, { ...company, ...given })
  return { company, admin, staff, device }
}

test('a device is live up to one interval (and 30 s on the way) after its newest reading, late up to three, offline after', async () => {
  const { admin, device } = await fleet()
  const one = await device({ intervalS: 600 })
  const status = async () => (await list(admin.token)).data[0]?.status
  expect(await status()).toBe('awaiting')
  await pipeline.send(one, [{ at: t.clock.now(), temperatureC: 5 }])
  expect(await status()).toBe('live')
  t.clock.advance(10.5 * minute)
  expect(await status()).toBe('live')
  t.clock.advance(1)
  expect(await status()).toBe('late')
  t.clock.advance(20 * minute - 1)
  expect(await status()).toBe('late')
  t.clock.advance(1)
  expect(await status()).toBe('offline')
})

test('what a person or a payment decided comes before silence', async () => {
  const { admin, device } = await fleet()
  const one = await device()
  const status = async () => (await t.call('GET', `/devices/${one.id}`, { token: admin.token })).body.payload.status
  await set(one.id, 'transmission', 'paused')
  expect(await status()).toBe('paused')
  await set(one.id, 'power', 'off')
  expect(await status()).toBe('off')
  await set(one.id, 'licence_until', t.clock.now())
  expect(await status()).toBe('expired')
  await set(one.id, 'licence_until', new Date(t.clock.now().getTime() + 1))
  expect(await status()).toBe('off')
  await set(one.id, 'decommissioned_at', t.clock.now())
  expect(await status()).toBe('decommissioned')
  expect(await names(admin.token)).toEqual([])
  expect(await names(admin.token, { status: 'decommissioned' })).toEqual([one.name])
})

test('a clock far ahead is flagged, and its readings do not make the device live', async () => {
  const { admin, device } = await fleet()
  const one = await device()
  await pipeline.send(one, [{ at: ago(-60 * minute), temperatureC: 5 }])
  const [row] = (await list(admin.token)).data
  expect(row).toMatchObject({ status: 'awaiting', latest: null, clockAheadS: 3600 })
  t.clock.advance(minute)
  await pipeline.send(one, [{ at: t.clock.now(), temperatureC: 6 }])
  expect((await list(admin.token)).data[0]).toMatchObject({ status: 'live', clockAheadS: null })
})

test('a row has the newest value of each kind, where it was, and how it stands to the limits of its time', async () => {
  const { admin, device } = await fleet()
  const one = await device()
  const change = (limits: object) => t.call('PATCH', `/devices/${one.id}`, { token: admin.token, body: { limits } })
  await change({ temperatureMinC: 2, temperatureMaxC: 8, humidityMaxPct: 60 })
  t.clock.advance(minute)
  await pipeline.send(one, [
    { at: ago(30_000), humidityPct: 70.5, batteryPct: 55, lightLux: 3, lat: 6.6018, lon: 3.3515 },
    { at: t.clock.now(), temperatureC: 8.01 },
  ])
  t.clock.advance(1)
  await change({ temperatureMinC: 2, temperatureMaxC: 10 })
  const [row] = (await list(admin.token)).data
  expect(row).toMatchObject({
    imei: one.imei,
    latest: { temperatureC: 8.01, humidityPct: 70.5, batteryPct: 55, lightLux: 3, measuredAt: ago(1).toISOString() },
    position: { lat: 6.6018, lon: 3.3515, at: ago(30_001).toISOString() },
    limits: { temperatureMinC: 2, temperatureMaxC: 10, humidityMinPct: null, humidityMaxPct: null },
    judgement: { temperature: 'above', humidity: 'above' },
    excursionSince: ago(30_001).toISOString(),
  })
})

test('private devices are for Admins: others find them nowhere', async () => {
  const { admin, staff, device } = await fleet()
  const [open, hidden] = [await device({ name: 'Open' }), await device({ name: 'Hidden', visibility: 'private' })]
  expect(await names(admin.token)).toEqual(['Hidden', 'Open'])
  expect(await names(staff.token)).toEqual(['Open'])
  expect((await list(staff.token)).meta.total).toBe(1)
  expect(await names(staff.token, { search: 'hid' })).toEqual([])
  expect(await names(staff.token, { visibility: 'private' })).toEqual([])
  const summary = (await t.call('GET', '/devices/summary', { token: staff.token })).body.payload
  expect(summary).toMatchObject({ total: 1, byStatus: { awaiting: 1 } })
  const period = { from: ago(minute).toISOString(), to: ago(0).toISOString() }
  for (const path of ['', '/history', '/history/chart', '/history/map-points']) {
    const query = path ? period : {}
    const call = (id: number) => t.call('GET', `/devices/${id}${path}`, { token: staff.token, query })
    expect((await call(hidden.id)).body.code, path).toBe('NOT_FOUND')
    expect((await call(open.id)).status, path).toBe(200)
  }
  const manager = await buildUser(t, { company: staff, role: 'manager' })
  const body = { name: 'Found' }
  expect((await t.call('PATCH', `/devices/${hidden.id}`, { token: manager.token, body })).status).toBe(404)
  expect((await t.call('PATCH', `/devices/${open.id}`, { token: manager.token, body })).status).toBe(200)
})

test('chips filter and their counts agree with the summary', async () => {
  const { admin, device } = await fleet()
  const made = {
    warm: await device({ name: 'Warm' }),
    good: await device({ name: 'Good' }),
    late: await device({ name: 'Late' }),
  }
  await device({ name: 'New' })
  const limits = { preset: 'refrigerated' }
  for (const { id } of Object.values(made))
    await t.call('PATCH', `/devices/${id}`, { token: admin.token, body: { limits } })
  t.clock.advance(40 * minute)
  await pipeline.send(made.late, [{ at: ago(20 * minute), temperatureC: 5 }])
  await pipeline.send(made.good, [{ at: t.clock.now(), temperatureC: 8 }])
  await pipeline.send(made.warm, [{ at: t.clock.now(), temperatureC: 8.1 }])
  const { payload } = (await t.call('GET', '/devices/summary', { token: admin.token })).body
  expect(payload).toMatchObject({
    total: 4,
    inRange: 2,
    outOfRange: 1,
    silent: 1,
    byStatus: { live: 2, late: 1, awaiting: 1 },
  })
  expect(await names(admin.token, { status: 'outOfRange' })).toEqual(['Warm'])
  expect(await names(admin.token, { status: 'inRange' })).toEqual(['Good', 'Late'])
  expect(await names(admin.token, { status: 'silent' })).toEqual(['Late'])
  expect(await names(admin.token, { status: 'awaiting' })).toEqual(['New'])
  t.clock.advance(60 * minute)
  expect(await names(admin.token, { status: 'outOfRange' })).toEqual([])
  expect(await names(admin.token, { status: 'offline' })).toEqual(['Good', 'Late', 'Warm'])
})

test('lists are searched by name, tag and IMEI, sorted either way, and paged', async () => {
  const { admin, device } = await fleet()
  const made = []
  for (const name of ['beta 100%', 'Alpha', 'gamma_x']) made.push(await device({ name }))
  await set(made[0]!.id, 'tag', 'Lagos')
  const { token } = admin
  expect(await names(token)).toEqual(['Alpha', 'beta 100%', 'gamma_x'])
  expect(await names(token, { sort: '-name' })).toEqual(['gamma_x', 'beta 100%', 'Alpha'])
  expect(await names(token, { search: 'LAG' })).toEqual(['beta 100%'])
  expect(await names(token, { search: '%' })).toEqual(['beta 100%'])
  expect(await names(token, { search: '_' })).toEqual(['gamma_x'])
  expect(await names(token, { search: made[1]!.imei.slice(3) })).toEqual(['Alpha'])
  expect(await names(token, { tag: 'Lagos' })).toEqual(['beta 100%'])
  expect(await list(token, { page: '2', perPage: '2' })).toMatchObject({
    data: [{ name: 'gamma_x' }],
    meta: { page: 2, perPage: 2, total: 3, pageCount: 2 },
  })
  expect(await list(token, { page: '9' })).toMatchObject({ data: [], meta: { total: 3 } })
  await pipeline.send(made[2]!, [{ at: t.clock.now(), temperatureC: -20, batteryPct: 9 }])
  await pipeline.send(made[1]!, [{ at: ago(minute), temperatureC: 5, batteryPct: 90 }])
  for (const [sort, first] of [
    ['temperature', 'gamma_x'],
    ['-temperature', 'Alpha'],
    ['battery', 'gamma_x'],
    ['-lastSeen', 'gamma_x'],
    ['lastSeen', 'Alpha'],
    ['status', 'beta 100%'],
    ['tag', 'beta 100%'],
  ] as const)
    expect((await names(token, { sort }))[0], sort).toBe(first)
})

test('a sparkline has an hour per point, of the last 24', async () => {
  const { admin, device } = await fleet()
  const one = await device({ validFrom: ago(3 * 86_400_000) })
  const hours = [30, 2, 1]
  await pipeline.send(
    one,
    hours.flatMap((hour) => [4, 6].map((temperatureC, i) => ({ at: ago(hour * 3_600_000 + i), temperatureC }))),
  )
  const [row] = (await list(admin.token, { sparkline: 'true' })).data
  const points = row?.sparkline24h ?? []
  expect(points.length).toBeGreaterThanOrEqual(2)
  expect(Math.min(...points.map(({ at }) => Date.parse(at)))).toBeGreaterThanOrEqual(ago(86_400_000).getTime())
  expect(Math.min(...points.map(({ minC }) => minC ?? 99))).toBe(4)
  expect((await list(admin.token)).data[0]).not.toHaveProperty('sparkline24h')
})

test('30 days after its licence ended a device’s new values are hidden, though stored; until then they are shown', async () => {
  const { admin, device } = await fleet()
  const one = await device()
  await pipeline.send(one, [{ at: t.clock.now(), temperatureC: 5 }])
  await set(one.id, 'licence_until', ago(30 * 86_400_000 - 1))
  expect((await list(admin.token)).data[0]).toMatchObject({ status: 'expired', latest: { temperatureC: 5 } })
  await set(one.id, 'licence_until', ago(30 * 86_400_000))
  const { data } = await list(admin.token, { sparkline: 'true' })
  expect(data[0]).toMatchObject({ status: 'expired', latest: null, judgement: { temperature: null } })
  const query = { from: ago(86_400_000).toISOString(), to: ago(-1000).toISOString() }
  const history = () => t.call('GET', `/devices/${one.id}/history`, { token: admin.token, query })
  expect((await history()).body.payload).toMatchObject({ data: [], meta: { total: 0 } })
  await set(one.id, 'licence_until', ago(-86_400_000))
  expect((await history()).body.payload.meta.total).toBe(1)
})

test('a query that makes no sense is a 422 for the field at fault', async () => {
  const { admin } = await fleet()
  const wrong: Record<string, string>[] = [
    { page: '0' },
    { page: 'x' },
    { perPage: '201' },
    { sort: 'imei' },
    { sort: 'name;drop table devices' },
    { status: 'broken' },
    { visibility: 'all' },
    { sparkline: 'yes' },
    { search: 'a\u0000b' },
    { tag: 'a\u0000b' },
    { search: 'x'.repeat(101) },
    { unknown: '1' },
  ]
  for (const query of wrong) {
    const { status, body } = await t.call('GET', '/devices', { token: admin.token, query })
    expect([status, Object.keys(body.fields ?? {})], JSON.stringify(query)).toEqual([422, Object.keys(query)])
  }
})

test('devices.csv has everything the filters leave in one file, and no formula', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const device = await aDevice(t, { ...company, name: '=cmd|calc' })
  await aDevice(t, { ...company, name: 'Van, 3' })
  const limits = { limits: { temperatureMinC: 2, temperatureMaxC: 8 } }
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: limits })
  t.clock.advance(minute)
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 9.5 }])
  const csv = async (query: Record<string, string> = {}) =>
    String((await t.call('GET', '/devices/export', { token: admin.token, query })).body)
      .trim()
      .split('\r\n')
  const [head, ...lines] = await csv()
  expect(head?.replace('\ufeff', '').split(',').slice(0, 3)).toEqual(['"name"', '"tag"', '"imei"'])
  expect(lines[0]).toMatch(new RegExp(`^"'=cmd\\|calc",,"${device.imei}","tracker","live",9.5,"above",`))
  expect(lines[1]).toMatch(/^"Van, 3",/)
  expect((await csv({ search: 'van' })).slice(1)).toHaveLength(1)
})

test('the limits of a device are told with since when, newest first', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const device = await aDevice(t, company)
  const at: string[] = []
  for (const temperatureMaxC of [8, 10]) {
    t.clock.advance(minute)
    at.push(t.clock.now().toISOString())
    await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { limits: { temperatureMaxC } } })
  }
  const { payload } = (await t.call('GET', `/devices/${device.id}/limits`, { token: admin.token })).body
  expect(payload).toMatchObject([
    { from: at[1], temperatureMaxC: 10 },
    { from: at[0], temperatureMaxC: 8 },
  ])
})

test('a group is a filter for whoever sees it', async () => {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const inside = await aDevice(t, { ...company, name: 'Inside' })
  await aDevice(t, { ...company, name: 'Outside' })
  const open = await buildGroup(t, company, { deviceIds: [inside.id] })
  const closed = await buildGroup(t, company, { deviceIds: [inside.id], visibility: 'private' })
  expect(await names(staff.token, { group: open.id })).toEqual(['Inside'])
  expect(await names(staff.token, { group: closed.id })).toEqual([])
  expect(await names(admin.token, { group: closed.id })).toEqual(['Inside'])
})
