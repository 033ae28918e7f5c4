import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildSession } from '../../../test/session-factory.ts'
import type { TestTracker } from '../../../test/test-pipeline.ts'
import { trailOf } from '../../../test/trail.ts'
import { sweepSessions } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const hour = 3_600_000
const ago = (hours: number) => new Date(t.clock.now().getTime() - hours * hour)
const sweep = () => sweepSessions.run(t.services, {})
const list = async (token: string, query: Record<string, string> = {}) =>
  (await t.call('GET', '/device-sessions', { token, query })).body.payload
const create = (token: string, body: object) => t.call('POST', '/device-sessions', { token, body })

/** A reading every ten minutes, from and to so many hours ago. */
const readings = (from: number, to: number, temperatureC = 4) => {
  const count = Math.round((from - to) * 6) + 1
  return Array.from({ length: count }, (_, n) => ({ at: ago(from - n / 6), temperatureC }))
}
const watched = async (given: { validFrom?: Date } = {}) => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { ...admin, validFrom: ago(24 * 60), ...given })
  return { admin, device, token: admin.token }
}
const spans = async (token: string) =>
  (await list(token)).data.map((one: Record<string, string | null>) => [one.startedAt, one.endedAt, one.endedBy])
async function answer(device: TestTracker, at: Date) {
  const { commands } = await pipeline.send(device, [{ at, temperatureC: 4 }])
  await pipeline.ack(
    device,
    commands.map(({ commandId }) => ({ commandId, at: at.toISOString(), ok: true })),
  )
}

describe('by themselves', () => {
  test('sessions are the stretches between long silences; the newest is open; a second look changes nothing', async () => {
    const { device, token } = await watched()
    await pipeline.send(device, [...readings(40, 38), ...readings(20, 15), ...readings(3, 0)])
    await sweep()
    const expected = [
      [ago(3).toISOString(), null, null],
      [ago(20).toISOString(), ago(15).toISOString(), 'silence'],
      [ago(40).toISOString(), ago(38).toISOString(), 'silence'],
    ]
    expect(await spans(token)).toEqual(expected)
    const before = await list(token)
    await sweep()
    expect(await list(token)).toEqual(before)
    const { body } = await t.call('GET', '/device-sessions/count', { token })
    expect(body.payload).toEqual({ total: 3, open: 1 })
  })

  test('power off ends one when the device says so; switched on again it begins another, and counts as on', async () => {
    const { device, token } = await watched()
    await pipeline.send(device, readings(3, 0))
    await t.call('PUT', '/power', { token, body: { imei: device.imei } })
    const off = t.clock.now()
    await answer(device, off)
    await sweep()
    expect(await spans(token)).toEqual([[ago(3).toISOString(), off.toISOString(), 'power']])
    const status = async () => (await t.call('GET', `/devices/${device.id}`, { token })).body.payload.status
    expect(await status()).toBe('off')
    t.clock.advance(hour)
    const on = t.clock.now()
    await pipeline.send(device, [{ at: on, temperatureC: 4 }])
    await sweep()
    expect((await spans(token))[0]).toEqual([on.toISOString(), null, null])
    expect(await spans(token)).toHaveLength(2)
    expect(await status()).toBe('live')
  })

  test('late readings join what silence had parted', async () => {
    const { device, token } = await watched()
    await pipeline.send(device, [...readings(20, 18), ...readings(8, 5)])
    await sweep()
    expect(await spans(token)).toHaveLength(2)
    const oldest = (await list(token)).data.at(-1).id
    await pipeline.send(device, readings(17.5, 8.5))
    await sweep()
    expect(await list(token)).toMatchObject({
      data: [{ id: oldest, startedAt: ago(20).toISOString(), endedAt: null }],
      meta: { total: 1 },
    })
  })

  test('readings of long ago lengthen, join and add sessions as if they had come in time; once settled they are forgotten', async () => {
    const given = { validFrom: ago(24 * 400) }
    const [late, timely] = [await watched(given), await watched(given)]
    const days = (count: number) => count * 24
    const first = [
      ...readings(days(100), days(100) - 2),
      ...readings(days(100) - 12, days(100) - 14),
      ...readings(2, 0),
    ]
    const after = [
      ...readings(days(300), days(300) - 1),
      ...readings(days(100) + 3, days(100) + 1),
      ...readings(days(100) - 4, days(100) - 10),
      ...readings(days(50), days(50) - 1),
    ]
    await pipeline.send(late.device, first)
    await sweep()
    const noted = async () => (await t.rows('select from late_readings where device_id = $1', [late.device.id])).length
    const kept = (await list(late.token)).data
    expect([kept.length, await noted()]).toEqual([3, 0])
    for (const reading of after.toReversed()) await pipeline.send(late.device, [reading])
    expect(await noted()).toBe(1)
    await sweep()
    await pipeline.send(
      timely.device,
      [...first, ...after].toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    )
    await sweep()
    const expected = [
      [ago(2).toISOString(), null, null],
      [ago(days(50)).toISOString(), ago(days(50) - 1).toISOString(), 'silence'],
      [ago(days(100) + 3).toISOString(), ago(days(100) - 14).toISOString(), 'silence'],
      [ago(days(300)).toISOString(), ago(days(300) - 1).toISOString(), 'silence'],
    ]
    expect(await spans(timely.token)).toEqual(expected)
    expect(await spans(late.token)).toEqual(expected)
    expect((await list(late.token)).data[2].id).toBe(kept[2].id)
    expect(await noted()).toBe(0)
  })

  test('readings just within the time looked at join what ended just before it', async () => {
    const { device, token } = await watched()
    await pipeline.send(device, [...readings(60, 50), ...readings(2, 0)])
    await sweep()
    await pipeline.send(device, readings(47, 46))
    await sweep()
    expect((await spans(token)).at(-1)).toEqual([ago(60).toISOString(), ago(46).toISOString(), 'silence'])
    expect(await spans(token)).toHaveLength(2)
  })

  test('an open one ends with its last reading once the device is silent for long, but not in flight mode', async () => {
    const [silent, flying] = [await watched(), await watched()]
    for (const { device } of [silent, flying]) await pipeline.send(device, readings(2, 0))
    const last = t.clock.now()
    await t.call('PATCH', `/devices/${flying.device.id}/flight-mode-direct`, {
      token: flying.token,
      body: { state: 'on' },
    })
    await answer(flying.device, last)
    await sweep()
    t.clock.advance(80 * hour)
    await sweep()
    expect(await spans(silent.token)).toEqual([[expect.any(String), last.toISOString(), 'silence']])
    expect(await spans(flying.token)).toEqual([[expect.any(String), null, null]])
  })

  test('going out of use ends it, and nothing opens it again', async () => {
    const { device, token } = await watched()
    await pipeline.send(device, readings(2, 0))
    await sweep()
    const at = t.clock.now().toISOString()
    await t.call('PUT', `/devices/${device.id}/decommission`, { token, body: {} })
    await sweep()
    expect(await spans(token)).toEqual([[ago(2).toISOString(), at, 'decommissioned']])
  })
})

describe('by hand', () => {
  test('one begins now and ends when somebody says so, once; both are in the trail', async () => {
    const { admin, device, token } = await watched()
    const { status, body } = await create(token, { deviceId: String(device.id), name: ' Lot 12 ' })
    expect([status, body.payload]).toMatchObject([
      200,
      {
        name: 'Lot 12',
        openedBy: 'hand',
        startedAt: t.clock.now().toISOString(),
        endedAt: null,
        createdBy: admin.fullname,
      },
    ])
    t.clock.advance(hour)
    const { id } = body.payload
    const ends = await Promise.all([1, 2].map(() => t.call('PUT', `/device-sessions/${id}/end`, { token })))
    expect(ends.map((end) => end.status).sort()).toEqual([200, 400])
    expect(ends.find((end) => end.status === 400)?.body.code).toBe('SESSION_ENDED')
    expect(await spans(token)).toEqual([[expect.any(String), t.clock.now().toISOString(), 'hand']])
    const trail = await trailOf(t, admin.companyId)
    expect(trail.slice(-2).map(({ action }) => action)).toEqual(['devices.sessionMade', 'devices.sessionEnded'])
  })

  test('ending the device’s own begins a new one with the next reading', async () => {
    const { device, token } = await watched()
    await pipeline.send(device, readings(2, 0))
    await sweep()
    const [{ id }] = (await list(token)).data
    t.clock.advance(60_000)
    await t.call('PUT', `/device-sessions/${id}/end`, { token })
    const ended = t.clock.now().toISOString()
    t.clock.advance(60_000)
    await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])
    await sweep()
    await sweep()
    expect(await spans(token)).toMatchObject([
      [t.clock.now().toISOString(), null, null],
      [expect.any(String), ended, 'hand'],
    ])
  })

  test('one left open ends with the power, or by silence', async () => {
    const [off, quiet] = [await watched(), await watched()]
    for (const { device, token } of [off, quiet]) {
      await pipeline.send(device, readings(1, 0))
      await create(token, { deviceId: String(device.id) })
    }
    await t.call('PUT', '/power', { token: off.token, body: { imei: off.device.imei } })
    t.clock.advance(60_000)
    await answer(off.device, t.clock.now())
    await sweep()
    const byHand = async (token: string) =>
      (await list(token)).data.find((one: { openedBy: string }) => one.openedBy === 'hand')
    expect(await byHand(off.token)).toMatchObject({ endedBy: 'power', endedAt: t.clock.now().toISOString() })
    expect(await byHand(quiet.token)).toMatchObject({ endedBy: null })
    t.clock.advance(8 * hour)
    await sweep()
    expect(await byHand(quiet.token)).toMatchObject({ endedBy: 'silence' })
  })

  test('what makes no sense is refused, at its field', async () => {
    const { device, token } = await watched()
    const deviceId = String(device.id)
    const at = (hours: number) => ago(-hours).toISOString()
    for (const [field, body] of [
      ['startedAt', { startedAt: at(1) }],
      ['endedAt', { startedAt: at(-1), endedAt: at(1) }],
      ['startedAt', { startedAt: at(-1), endedAt: at(-2) }],
      ['startedAt', { startedAt: at(-1), endedAt: at(-1) }],
      ['startedAt', { endedAt: at(-1) }],
      ['endedAt', { startedAt: at(-24 * 801), endedAt: at(-1) }],
      ['startedAt', { startedAt: at(-24 * 801) }],
      ['name', { name: 'x'.repeat(81) }],
      ['startedAt', { startedAt: 'now' }],
    ] as const) {
      const { status, body: told } = await create(token, { deviceId, ...body })
      expect([status, Object.keys(told.fields)], JSON.stringify(body)).toEqual([422, [field]])
    }
    await t.change(device.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
    expect((await create(token, { deviceId })).body.code).toBe('SUBSCRIPTION_EXPIRED')
  })
})

test('the history of a session is its readings, chart and path, and nothing around it', async () => {
  const { device, token } = await watched()
  const route = readings(20, 18).map((reading, n) => ({ ...reading, lat: 6.5 + n / 100, lon: 3.4 }))
  await pipeline.send(device, [...route, ...readings(5, 4, 9)])
  const body = { deviceId: String(device.id), startedAt: ago(20).toISOString(), endedAt: ago(18).toISOString() }
  const { id } = (await create(token, body)).body.payload
  const { status, body: answered } = await t.call('GET', '/device-sessions/history', { token, query: { id } })
  expect([status, answered.payload]).toMatchObject([
    200,
    { session: { id }, from: body.startedAt, to: body.endedAt, readings: { meta: { total: 13 } } },
  ])
  expect(answered.payload.chart.atMs).toHaveLength(13)
  expect(answered.payload.path.segments.flat().length).toBeGreaterThan(1)
  const missing = await t.call('GET', '/device-sessions/history', { token, query: { id: '999999999' } })
  expect(missing.status).toBe(404)
})

test('lists are searched, filtered and paged', async () => {
  const { device, token, admin } = await watched()
  const other = await aDevice(t, { ...admin, name: 'Reefer 100%' })
  await create(token, { deviceId: String(device.id), name: 'Morning' })
  await create(token, { deviceId: String(other.id), startedAt: ago(5).toISOString(), endedAt: ago(4).toISOString() })
  const names = async (query: Record<string, string>) =>
    (await list(token, query)).data.map((one: { deviceName: string }) => one.deviceName)
  expect(await names({ search: '100%' })).toEqual(['Reefer 100%'])
  expect(await names({ search: 'morn' })).toEqual([device.name])
  expect(await names({ state: 'open' })).toEqual([device.name])
  expect(await names({ state: 'ended' })).toEqual(['Reefer 100%'])
  expect(await names({ deviceId: String(other.id) })).toEqual(['Reefer 100%'])
  expect(await names({ sort: 'startedAt', perPage: '1', page: '2' })).toEqual([device.name])
})

test('Staff may look and not change; private devices and other companies’ have no sessions for others', async () => {
  const company = await buildCompany(t)
  const [manager, staff] = [
    await buildUser(t, { company, role: 'manager' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  const hidden = await aDevice(t, { ...company, visibility: 'private' })
  const session = await buildSession(t, { ...company, deviceId: hidden.id })
  const open = await aDevice(t, company)
  expect((await create(staff.token, { deviceId: String(open.id) })).status).toBe(403)
  const stranger = await buildUser(t)
  for (const { token } of [manager, stranger]) {
    expect(await list(token)).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await t.call('GET', '/device-sessions/count', { token })).body.payload.total).toBe(0)
    expect((await t.call('GET', `/device-sessions/${session.id}`, { token })).status).toBe(404)
    expect((await t.call('GET', '/device-sessions/history', { token, query: { id: session.id } })).status).toBe(404)
    expect((await t.call('PUT', `/device-sessions/${session.id}/end`, { token })).status).toBe(404)
    expect((await create(token, { deviceId: String(hidden.id) })).status).toBe(404)
  }
  expect((await t.call('PUT', `/device-sessions/${session.id}/end`, { token: staff.token })).status).toBe(403)
})
