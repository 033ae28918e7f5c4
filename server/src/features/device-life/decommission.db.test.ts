import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const put = (token: string, id: string, what: 'decommission' | 'restore', body: object = {}) =>
  t.call('PUT', `/devices/${id}/${what}`, { token, body })
async function claimed(token: string, given: { licenceKey?: string; visibility?: string } = {}) {
  const hardware = await buildHardware(t)
  const licenceKey = given.licenceKey ?? (await buildKey(t))
  const body = { imei: hardware.imei, name: 'Fridge', visibility: 'public', ...given, licenceKey }
  const answer = await t.call('POST', '/devices/setup', { token, body })
  t.clock.advance(minute)
  return { ...hardware, licenceKey, id: answer.body.payload.id as string }
}

test('frees hardware and licence, withdraws what waits, keeps the history readable', async () => {
  const admin = await buildUser(t)
  const device = await claimed(admin.token)
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4.5 }])
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { intervalS: 900 } })
  await t.call('PATCH', `/devices/${device.id}/flight-mode-direct`, { token: admin.token, body: { state: 'on' } })
  t.clock.advance(minute)
  const { status, body } = await put(admin.token, device.id, 'decommission', { reason: 'Broken door' })
  expect([status, body.payload]).toMatchObject([
    200,
    { decommissionedAt: t.clock.now().toISOString(), licences: [], flight: { state: 'off' }, hardware: [{}] },
  ])
  const { body: one } = await t.call('GET', `/devices/${device.id}`, { token: admin.token })
  expect(one.payload).toMatchObject({ status: 'decommissioned', imei: null, waiting: [] })
  const query = { from: new Date(0).toISOString(), to: t.clock.now().toISOString() }
  const period = { ...query, from: new Date(t.clock.now().getTime() - 86_400_000).toISOString() }
  const history = await t.call('GET', `/devices/${device.id}/history`, { token: admin.token, query: period })
  expect(history.body.payload.data).toMatchObject([{ temperatureC: 4.5 }])
  expect((await t.call('GET', '/devices', { token: admin.token })).body.payload.data).toEqual([])
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    action: 'devices.decommissioned',
    before: { imei: device.imei },
    reason: 'Broken door',
  })
  // Another device takes both.
  const again = { imei: device.imei, licenceKey: device.licenceKey, name: 'Successor' }
  expect((await t.call('POST', '/devices/setup', { token: admin.token, body: again })).status).toBe(200)
})

test('what it measured before and sends later is still its own', async () => {
  const admin = await buildUser(t)
  const device = await claimed(admin.token)
  const before = t.clock.now()
  t.clock.advance(minute)
  await put(admin.token, device.id, 'decommission')
  t.clock.advance(minute)
  const answer = await pipeline.send(device, [
    { at: before, temperatureC: 3 },
    { at: t.clock.now(), temperatureC: 9 },
  ])
  expect(answer).toMatchObject({ accepted: 1, rejected: [{ index: 1, code: 'NOT_ASSIGNED' }] })
})

test('is listed with its last IMEI and when it measured; found by name and IMEI', async () => {
  const admin = await buildUser(t)
  const device = await claimed(admin.token)
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4.5 }])
  const measured = t.clock.now().toISOString()
  await put(admin.token, device.id, 'decommission')
  const list = async (search?: string) => {
    const query: Record<string, string> = search === undefined ? {} : { search }
    return (await t.call('GET', '/devices/decommissioned', { token: admin.token, query })).body.payload
  }
  expect(await list()).toMatchObject({
    data: [{ id: device.id, lastImei: device.imei, firstReadingAt: measured, lastReadingAt: measured }],
    meta: { total: 1 },
  })
  expect((await list(device.imei.slice(3, 12))).data).toHaveLength(1)
  expect((await list('nothing like it')).data).toHaveLength(0)
})

describe('restoring', () => {
  test('brings it back on its hardware and licence, history in one piece; the hardware is told the interval', async () => {
    const admin = await buildUser(t)
    const device = await claimed(admin.token)
    const { licenceUntil } = (await t.call('GET', `/devices/${device.id}`, { token: admin.token })).body.payload
    await put(admin.token, device.id, 'decommission')
    t.clock.advance(minute)
    const { status, body } = await put(admin.token, device.id, 'restore')
    expect([status, body.payload]).toMatchObject([
      200,
      { decommissionedAt: null, licenceUntil, hardware: [{ imei: device.imei, to: null }, { imei: device.imei }] },
    ])
    const { commands } = await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])
    expect(commands).toMatchObject([{ kind: 'interval' }])
    expect((await t.call('GET', `/devices/${device.id}`, { token: admin.token })).body.payload.status).toBe('live')
    expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({ action: 'devices.restored' })
  })

  test('needs other hardware where somebody uses its own, and another licence where that one is used up', async () => {
    const admin = await buildUser(t)
    const device = await claimed(admin.token)
    await put(admin.token, device.id, 'decommission')
    t.clock.advance(minute)
    const other = { imei: device.imei, licenceKey: device.licenceKey, name: 'Successor' }
    await t.call('POST', '/devices/setup', { token: admin.token, body: other })
    const codes = async (body: object) => (await put(admin.token, device.id, 'restore', body)).body.code
    expect(await codes({})).toBe('LICENCE_NEEDED')
    expect(await codes({ licenceKey: device.licenceKey })).toBe('LICENCE_USED')
    const licenceKey = await buildKey(t)
    expect(await codes({ licenceKey })).toBe('CLAIM_REFUSED')
    const { imei } = await buildHardware(t)
    expect((await put(admin.token, device.id, 'restore', { licenceKey, imei })).status).toBe(200)
  })

  test('is refused with an expired subscription, and of a device in use; so are commands of one out of use', async () => {
    const admin = await buildUser(t)
    const device = await claimed(admin.token)
    expect((await put(admin.token, device.id, 'restore')).body.code).toBe('DEVICE_IN_SERVICE')
    await put(admin.token, device.id, 'decommission')
    expect((await put(admin.token, device.id, 'decommission')).body.code).toBe('DEVICE_DECOMMISSIONED')
    const swap = { newImei: (await buildHardware(t)).imei }
    const swapped = await t.call('POST', `/devices/${device.id}/swap`, { token: admin.token, body: swap })
    expect(swapped.body.code).toBe('DEVICE_DECOMMISSIONED')
    await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
    expect((await put(admin.token, device.id, 'restore')).body.code).toBe('SUBSCRIPTION_EXPIRED')
  })

  test('of two devices that want the last place of one licence, one gets it', async () => {
    const admin = await buildUser(t)
    const licenceKey = await buildKey(t, { devices: 2 })
    const [a, b] = [await claimed(admin.token, { licenceKey }), await claimed(admin.token, { licenceKey })]
    await put(admin.token, a.id, 'decommission')
    await put(admin.token, b.id, 'decommission')
    t.clock.advance(minute)
    const body = { imei: (await buildHardware(t)).imei, licenceKey, name: 'Third' }
    expect((await t.call('POST', '/devices/setup', { token: admin.token, body })).status).toBe(200)
    const answers = await Promise.all([a, b].map(({ id }) => put(admin.token, id, 'restore')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body.code).toBe('LICENCE_NEEDED')
  })
})

test('Staff may read the list and change nothing; others find nothing', async () => {
  const company = await buildCompany(t)
  const [admin, manager, staff] = [
    await buildUser(t, { company }),
    await buildUser(t, { company, role: 'manager' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  const hidden = await claimed(admin.token, { visibility: 'private' })
  const stranger = await buildUser(t)
  for (const what of ['decommission', 'restore'] as const) {
    expect((await put(staff.token, hidden.id, what)).status).toBe(403)
    expect((await put(manager.token, hidden.id, what)).status).toBe(404)
    expect((await put(stranger.token, hidden.id, what)).status).toBe(404)
  }
  await put(admin.token, hidden.id, 'decommission')
  for (const { token } of [manager, staff, stranger])
    expect((await t.call('GET', '/devices/decommissioned', { token })).body.payload.meta.total).toBe(0)
})
