import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only, setMatrix } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { type TestRoad, withRoad } from '../../../test/with-road.ts'

let t: TestApp
let road: TestRoad
beforeAll(async () => {
  t = await startTestApp()
  road = await withRoad(t)
})
afterAll(async () => {
  await road.close()
  await t.close()
})

const minute = 60_000
const figures = async (token: string): Promise<Dashboard> =>
  (await t.call('GET', '/users/dashboard', { token })).body.payload

async function company() {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const device = async (name: string, visibility: 'public' | 'private' = 'public') => {
    const made = await buildDevice(t, { ...company, name, visibility })
    const body = { limits: { temperatureMinC: 2, temperatureMaxC: 8 } }
    await t.call('PATCH', `/devices/${made.id}`, { token: admin.token, body })
    return made
  }
  /** Further readings, ten minutes apart; the clock goes with them. */
  const walk = async (device: { imei: string; secret: string }, values: number[], more: object = {}) => {
    for (const temperatureC of values) {
      t.clock.advance(10 * minute)
      await road.send(device, [{ at: t.clock.now(), temperatureC, ...more }])
    }
  }
  return { company, admin, staff, device, walk }
}

test('it says what is out of range, silent, low on battery or running out of licence, most pressing first', async () => {
  const { admin, device, walk } = await company()
  const [silent, low, warm] = [await device('Silent'), await device('Low'), await device('Warm')]
  await walk(silent, [5])
  t.clock.advance(60 * minute)
  await walk(low, [5], { batteryPct: 15 })
  const start = t.clock.now().getTime() + 10 * minute
  await walk(warm, [9, 11.5])
  const { devices } = await figures(admin.token)
  expect(devices?.summary).toMatchObject({
    total: 3,
    outOfRange: 1,
    byStatus: { live: 1, late: 1, offline: 1 },
    silent: 2,
  })
  expect(devices?.excursionsNow).toMatchObject([
    {
      deviceName: 'Warm',
      measure: 'temperature',
      side: 'above',
      startAt: new Date(start).toISOString(),
      endAt: null,
      value: 11.5,
      limit: 8,
      peak: 11.5,
    },
  ])
  expect(devices?.needsAttention.map(({ kind, deviceName, value }) => [kind, deviceName, value])).toEqual([
    ['outOfRange', 'Warm', 11.5],
    ['silent', 'Silent', null],
    ['silent', 'Low', null],
    ['batteryLow', 'Low', 15],
  ])
})

test('the latest events are newest first', async () => {
  const { admin, device, walk } = await company()
  const one = await device('One')
  await walk(one, [5, 9, 5, 1])
  const { devices } = await figures(admin.token)
  expect(devices?.events.map(({ kind, side, peak }) => [kind, side, peak])).toEqual([
    ['excursionStarted', 'below', 1],
    ['excursionEnded', 'above', 9],
    ['excursionStarted', 'above', 9],
    ['deviceAdded', null, null],
  ])
})

test('private devices are in nobody’s figures but an Admin’s', async () => {
  const { admin, staff, device, walk } = await company()
  const hidden = await device('Hidden', 'private')
  await walk(hidden, [20], { batteryPct: 3 })
  expect(JSON.stringify(await figures(admin.token))).toContain('Hidden')
  const { devices } = await figures(staff.token)
  expect(devices).toMatchObject({
    summary: { total: 0, outOfRange: 0 },
    excursionsNow: [],
    events: [],
    needsAttention: [],
  })
})

test('who may not see devices gets no figures of them, and no refusal', async () => {
  const { company: own, device, walk } = await company()
  await walk(await device('One'), [20])
  await setMatrix(t, own.companyId, 'manager', only('users.view', 'devices.addOrEdit'))
  const manager = await buildUser(t, { company: own, role: 'manager' })
  expect(await figures(manager.token)).toEqual({ at: t.clock.now().toISOString(), devices: null })
})

test('another company’s devices are in none of it', async () => {
  const { device, walk } = await company()
  await walk(await device('Theirs'), [20])
  const stranger = await buildUser(t)
  expect((await figures(stranger.token)).devices).toMatchObject({
    summary: { total: 0 },
    events: [],
    needsAttention: [],
  })
})
