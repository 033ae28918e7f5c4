import type { Device } from '@isotherm/contract/devices.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const pipeline = describePipeline(t)

async function own() {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const path = `/devices/${device.id}`
  const change = (body: object) => t.call('PATCH', path, { token: admin.token, body })
  const get = async (): Promise<Device> => (await t.call('GET', path, { token: admin.token })).body.payload
  return { admin, device, change, get }
}

test('name, tag and visibility change at once, and the trail says from what to what', async () => {
  const { admin, device, change } = await own()
  const { body } = await change({ name: 'New name', tag: 'Accra', visibility: 'private' })
  expect(body.payload).toMatchObject({ name: 'New name', tag: 'Accra', visibility: 'private' })
  expect((await change({ tag: null })).body.payload).toMatchObject({ name: 'New name', tag: null })
  const [first, second] = await trailOf(t, admin.companyId)
  expect(first).toMatchObject({
    action: 'devices.changed',
    target: { kind: 'device', id: String(device.id), name: device.name },
    before: { name: device.name, tag: null, visibility: 'public' },
    after: { name: 'New name', tag: 'Accra', visibility: 'private' },
  })
  expect(second).toMatchObject({ before: { tag: 'Accra' }, after: { tag: null } })
})

test('interval and transmission are commands until the device answers', async () => {
  const { device, change, get } = await own()
  const { body } = await change({ intervalS: 300, transmission: 'paused' })
  expect(body.payload).toMatchObject({
    intervalS: 600,
    transmission: 'started',
    status: 'awaiting',
    waiting: [
      { kind: 'interval', value: { intervalS: 300 }, sentAt: null },
      { kind: 'transmission', value: { state: 'paused' }, sentAt: null },
    ],
  })
  const { commands } = await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5 }])
  expect(commands.map(({ kind }) => kind)).toEqual(['interval', 'transmission'])
  const acks = commands.map(({ commandId }) => ({ commandId, at: t.clock.now().toISOString(), ok: true }))
  await pipeline.ack(device, acks)
  expect(await get()).toMatchObject({ intervalS: 300, transmission: 'paused', status: 'paused', waiting: [] })
})

test('a later command replaces an earlier one; asking for what is asks nothing, unless another command is on its way', async () => {
  const { change } = await own()
  const waiting = async (intervalS: number) => (await change({ intervalS })).body.payload.waiting
  expect(await waiting(600)).toEqual([])
  expect(await waiting(300)).toMatchObject([{ value: { intervalS: 300 } }])
  expect(await waiting(900)).toMatchObject([{ value: { intervalS: 900 } }])
  expect(await waiting(600)).toMatchObject([{ value: { intervalS: 600 } }])
})

test('new limits judge from now on; what was measured before keeps its verdict', async () => {
  const { admin, device, change } = await own()
  await change({ limits: { temperatureMaxC: 8 } })
  t.clock.advance(60_000)
  const first = t.clock.now()
  await pipeline.send(device, [{ at: first, temperatureC: 9 }])
  t.clock.advance(60_000)
  const { body } = await change({ limits: { temperatureMinC: -5, temperatureMaxC: 10, humidityMaxPct: 80 } })
  expect(body.payload.limits).toEqual({
    temperatureMinC: -5,
    temperatureMaxC: 10,
    humidityMinPct: null,
    humidityMaxPct: 80,
  })
  const second = t.clock.now()
  await pipeline.send(device, [{ at: second, temperatureC: 9 }])
  const query = { from: first.toISOString(), to: second.toISOString() }
  const history = await t.call('GET', `/devices/${device.id}/history`, { token: admin.token, query })
  expect(history.body.payload.data).toMatchObject([
    { at: second.toISOString(), temperatureC: 9, temperature: 'inRange' },
    { at: first.toISOString(), temperatureC: 9, temperature: 'above' },
  ])
  const chart = await t.call('GET', `/devices/${device.id}/history/chart`, { token: admin.token, query })
  expect(chart.body.payload.limits).toMatchObject([{ temperatureMaxC: 8 }])
  const wider = { from: first.toISOString(), to: new Date(second.getTime() + 60_000).toISOString() }
  const later = await t.call('GET', `/devices/${device.id}/history/chart`, { token: admin.token, query: wider })
  expect(later.body.payload.limits).toEqual([
    {
      from: query.from,
      to: query.to,
      temperatureMinC: null,
      temperatureMaxC: 8,
      humidityMinPct: null,
      humidityMaxPct: null,
    },
    {
      from: query.to,
      to: wider.to,
      temperatureMinC: -5,
      temperatureMaxC: 10,
      humidityMinPct: null,
      humidityMaxPct: 80,
    },
  ])
})

test('changes made at the same moment all count, and each leaves its entry', async () => {
  const { admin, change, get } = await own()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => change(i % 2 ? { name: `Name ${i}` } : { tag: `Tag ${i}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const device = await get()
  expect([device.name, device.tag]).toEqual([expect.stringMatching(/^Name /), expect.stringMatching(/^Tag /)])
  const trail = await trailOf(t, admin.companyId)
  expect(trail).toHaveLength(8)
})

test('every field that is wrong is named, and nothing changes', async () => {
  const { change, get } = await own()
  const before = await get()
  const wrong: [string, object][] = [
    ['name', { name: '' }],
    ['name', { name: null }],
    ['name', { name: 'a\u0000' }],
    ['tag', { tag: '' }],
    ['tag', { tag: ['x'] }],
    ['intervalS', { intervalS: 179 }],
    ['intervalS', { intervalS: Number.MAX_SAFE_INTEGER }],
    ['visibility', { visibility: null }],
    ['transmission', { transmission: 'stopped' }],
    ['limits', { limits: null }],
    ['limits.temperatureMaxC', { limits: { temperatureMaxC: 1e9 } }],
    ['limits.temperatureMaxC', { limits: { temperatureMinC: 9, temperatureMaxC: 8 } }],
    ['status', { status: 'live' }],
    ['imei', { imei: '350000000000001' }],
  ]
  for (const [field, body] of wrong) {
    const answer = await change({ name: 'Not this', ...body })
    expect([answer.status, Object.keys(answer.body.fields ?? {})], JSON.stringify(body)).toEqual([422, [field]])
  }
  expect(await get()).toEqual(before)
})

test('an id that no device can have is not found', async () => {
  const { admin } = await own()
  for (const id of ['0', '-1', '1.5', 'x', '2147483648', '999999999999999999', '9'.repeat(30), '%00', '1%20or%201=1'])
    for (const method of ['GET', 'PATCH'] as const) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined
      const answer = await t.call(method, `/devices/${id}`, { token: admin.token, ...(body ? { body } : {}) })
      expect([answer.status, answer.body.code], `${method} ${id}`).toEqual([404, 'NOT_FOUND'])
    }
})

test('a device out of use takes no changes', async () => {
  const { admin, device, change } = await own()
  expect((await t.call('PUT', `/devices/${device.id}/decommission`, { token: admin.token })).status).toBe(200)
  const { status, body } = await change({ name: 'New name' })
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'DEVICE_DECOMMISSIONED' })
})
