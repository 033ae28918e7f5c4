import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only, setMatrix } from '../../../test/factories.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const figures = async (token: string): Promise<Dashboard> =>
  (await t.call('GET', '/users/dashboard', { token })).body.payload

async function company() {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const device = async (name: string, visibility: 'public' | 'private' = 'public') => {
    const made = await aDevice(t, { ...company, name, visibility })
    const body = { limits: { temperatureMinC: 2, temperatureMaxC: 8 } }
    await t.call('PATCH', `/devices/${made.id}`, { token: admin.token, body })
    return made
  }
  /** Further readings, ten minutes apart; the clock goes with them. */
  const walk = async (device: { imei: string; secret: string }, values: number[], more: object = {}) => {
    for (const temperatureC of values) {
      t.clock.advance(10 * minute)
      await pipeline.send(device, [{ at: t.clock.now(), temperatureC, ...more }])
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

test('a clock that was far ahead hides nothing that is out of range, and says it of nothing else', async () => {
  const { admin, device } = await company()
  const [warm, fine] = [await device('Warm'), await device('Fine')]
  const send = async (warmC: number, fineC: number, aheadMs = 0) => {
    t.clock.advance(minute)
    const at = new Date(t.clock.now().getTime() + aheadMs)
    for (const [one, temperatureC] of [
      [warm, warmC],
      [fine, fineC],
    ] as const)
      await pipeline.send(one, [{ at, temperatureC }])
  }
  await send(9, 5)
  await send(5, 9, 180 * minute)
  await send(9, 5)
  const { devices } = await figures(admin.token)
  expect(devices?.summary).toMatchObject({ total: 2, outOfRange: 1 })
  expect(devices?.excursionsNow).toMatchObject([{ deviceName: 'Warm', endAt: null, value: 9 }])
  const list = async (path: string, query: Record<string, string>) =>
    (await t.call('GET', path, { token: admin.token, query })).body.payload.data
  expect(await list('/devices', { status: 'outOfRange' })).toMatchObject([{ name: 'Warm' }])
  expect(await list('/excursions', { open: 'true' })).toMatchObject([{ deviceName: 'Warm', endAt: null }])
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

test('a device in range that is on its way out is named with when, and one that stays is not', async () => {
  const { admin, device, walk } = await company()
  const [steady, warming] = [await device('Steady'), await device('Warming')]
  const values = Array.from({ length: 30 }, (_, i) => 4.6 + (i % 4) * 0.1)
  await walk(steady, values)
  t.clock.advance(-30 * 10 * minute)
  await walk(warming, [...values.slice(0, 23), 5.1, 5.4, 5.7, 6.1, 6.4, 6.8, 7.1])
  const { devices } = await figures(admin.token)
  expect(devices?.headingOut).toMatchObject([{ deviceName: 'Warming', side: 'above', value: 7.1, limit: 8 }])
  const [heading] = devices?.headingOut ?? []
  expect(heading?.lowMinutes).toBeLessThan(heading?.minutes ?? 0)
  expect(heading?.highMinutes).toBeGreaterThan(heading?.minutes ?? 0)
})

test('open alarms are counted by severity, and what happened to them is told', async () => {
  const { admin, device, walk } = await company()
  const warm = await device('Warm')
  await anAlarm(t, admin, { deviceIds: [warm.id], severity: 'critical', name: 'Too hot' })
  await walk(warm, [5, 12])
  const { alarms } = await figures(admin.token)
  expect(alarms?.open).toEqual({ critical: 1, warning: 0 })
  expect(alarms?.events).toMatchObject([{ kind: 'alarmOpened', alarmName: 'Too hot', deviceName: 'Warm', by: null }])
  t.clock.advance(minute)
  await t.call('PATCH', `/alarm-triggers/${alarms?.events[0]?.triggerId}/acknowledge`, { token: admin.token })
  const after = (await figures(admin.token)).alarms
  expect(after?.open).toEqual({ critical: 0, warning: 0 })
  expect(after?.events[0]).toMatchObject({ kind: 'alarmAcknowledged', by: admin.fullname })
})

test('licences and units are for who may see payments', async () => {
  const { admin, staff, device } = await company()
  await device('One')
  const { wallets, licences } = await figures(admin.token)
  expect(wallets).toEqual([
    { kind: 'sms', remaining: 0, warnBelow: expect.any(Number) },
    { kind: 'chat', remaining: 0, warnBelow: expect.any(Number) },
  ])
  expect(licences).toEqual({ places: 0, taken: 0, expired: 0, endingSoon: 0, nextEndAt: null })
  expect(await figures(staff.token)).toMatchObject({ wallets: null, licences: null })
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
  expect(await figures(manager.token)).toMatchObject({
    at: t.clock.now().toISOString(),
    devices: null,
    alarms: null,
    wallets: null,
    licences: null,
  })
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
