import type { Excursion, ExcursionSummary } from '@isotherm/contract/excursions.ts'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const step = 10 * minute
const iso = (at: number) => new Date(at).toISOString()
type Query = Record<string, string>

/** A device of the person's company: 2 to 8 degrees, at most 60 %, every 10 minutes. */
async function deviceOf(admin: TestUser, given: { name?: string; visibility?: 'private' | 'public' } = {}) {
  const validFrom = new Date(t.clock.now().getTime() - 400 * day)
  const limits = { temperatureMinC: 2, temperatureMaxC: 8, humidityMaxPct: 60 }
  const device = await aDevice(t, { companyId: admin.companyId, intervalS: 600, validFrom, limits, ...given })
  const send = (from: number, values: readonly (number | null)[], more: Omit<TestReading, 'at'> = {}) =>
    pipeline.send(
      device,
      values.flatMap((temperatureC, index) =>
        temperatureC === null ? [] : [{ at: new Date(from + index * step), temperatureC, ...more }],
      ),
    )
  return { ...device, send }
}

async function page(user: TestUser, path: string, query: Query = {}) {
  const { status, body } = await t.call('GET', path, { token: user.token, query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload as { data: Excursion[]; meta: { total: number; pageCount: number } }
}
const ofDevice = (user: TestUser, device: { id: number }, query?: Query) =>
  page(user, `/devices/${device.id}/excursion`, query)
const summaryOf = async (user: TestUser, device: { id: number }, query?: Query): Promise<ExcursionSummary> =>
  (await t.call('GET', `/devices/${device.id}/excursion/summary`, { token: user.token, query: query ?? {} })).body
    .payload

test('an excursion comes with its limit, peak, duration and degree-minutes', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  const from = t.clock.now().getTime() - 5 * hour
  await device.send(from, [5, 9, 12, 9, 5, 1.5, 5])
  const { data, meta } = await ofDevice(admin, device)
  expect(meta.total).toBe(2)
  expect(data[0]).toMatchObject({ side: 'below', limit: 2, peak: 1.5, degreeMinutes: 5, durationMs: step, readings: 1 })
  expect(data[1]).toMatchObject({
    deviceId: String(device.id),
    deviceName: device.name,
    measure: 'temperature',
    side: 'above',
    startAt: iso(from + step),
    endAt: iso(from + 4 * step),
    endedBy: 'inside',
    durationMs: 3 * step,
    limit: 8,
    peak: 12,
    peakAt: iso(from + 2 * step),
    degreeMinutes: 60,
    readings: 3,
    isLate: true,
    amendedAt: null,
    isCutOff: false,
  })
})

test('late data that changes an excursion says so', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  const now = t.clock.now().getTime()
  await device.send(now - 3 * step, [9, null, 9])
  const before = (await ofDevice(admin, device)).data[0]
  expect(before).toMatchObject({ peak: 9, amendedAt: null })
  await device.send(now - 2 * step, [14])
  const after = (await ofDevice(admin, device)).data
  expect(after).toHaveLength(1)
  expect(after[0]).toMatchObject({ id: before?.id, peak: 14, amendedAt: iso(now) })
  expect(await summaryOf(admin, device)).toMatchObject({
    temperature: { count: 1, amended: 1, highest: { value: 14 } },
  })
})

test('an open excursion lasts until now, at most as long as its last reading may hold', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  const now = t.clock.now().getTime()
  await device.send(now - 2 * step, [9, 9])
  const duration = async () => (await ofDevice(admin, device)).data[0]
  expect(await duration()).toMatchObject({ endAt: null, endedBy: null, durationMs: 2 * step, degreeMinutes: 20 })
  t.clock.advance(5 * hour)
  expect(await duration()).toMatchObject({ endAt: null, durationMs: 4 * step, degreeMinutes: 40 })
  t.clock.set(new Date(now))
  expect((await summaryOf(admin, device)).temperature).toMatchObject({ open: 1, aboveMs: 2 * step })
})

test('a period has the excursions that reach into it, and the summary their parts within', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  const from = t.clock.now().getTime() - 5 * hour
  await device.send(from, [5, 9, 12, 9, 5, 9, 5], { humidityPct: 50 })
  await device.send(from + 7 * step, [5, 5], { humidityPct: 70 })
  await device.send(from + 9 * step, [9, 5], { humidityPct: 50 })
  const within = (a: number, b: number) => ({ from: iso(from + a * minute), to: iso(from + b * minute) })
  const starts = async (query: Query) =>
    (await ofDevice(admin, device, { sort: 'start', ...query })).data.map(
      (row) => (Date.parse(row.startAt) - from) / minute,
    )
  expect(await starts({})).toEqual([10, 50, 70, 90])
  expect(await starts(within(20, 25))).toEqual([10])
  expect(await starts(within(40, 49))).toEqual([])
  expect(await starts(within(0, 10))).toEqual([10])
  const { temperature, humidity, ...all } = await summaryOf(admin, device, within(30, 95))
  expect(all).toMatchObject({ count: 4, outMs: (10 + 10 + 20 + 5) * minute })
  expect(temperature).toMatchObject({
    count: 3,
    aboveMs: 25 * minute,
    belowMs: 0,
    longest: { startAt: iso(from + step), ms: 10 * minute },
    highest: { value: 12, at: iso(from + 2 * step) },
    lowest: null,
  })
  expect(humidity).toMatchObject({ count: 1, aboveMs: 20 * minute, highest: { value: 70 } })
  // Both measures out at once are out once.
  await device.send(from + 11 * step, [9, 5], { humidityPct: 70 })
  expect((await summaryOf(admin, device, within(105, 130))).outMs).toBe(20 * minute)
})

test('lists are filtered, sorted and paged', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  const from = t.clock.now().getTime() - 10 * hour
  await device.send(from, [5, 9, 9, 5, 20, 5, 1, 5, 9, 9, 9, 5, 0], { humidityPct: 40 })
  const ids = async (query: Query) => (await ofDevice(admin, device, query)).data.map(({ peak }) => peak)
  expect(await ids({})).toEqual([0, 9, 1, 20, 9])
  expect(await ids({ side: 'below', sort: 'start' })).toEqual([1, 0])
  expect(await ids({ open: 'true' })).toEqual([0])
  expect(await ids({ open: 'false', side: 'below' })).toEqual([1])
  expect(await ids({ measure: 'humidity' })).toEqual([])
  expect((await ofDevice(admin, device, { sort: '-duration' })).data[0]?.durationMs).toBe(3 * step)
  expect((await ofDevice(admin, device, { sort: '-degreeMinutes' })).data[0]?.peak).toBe(20)
  const second = await ofDevice(admin, device, { perPage: '2', page: '2', sort: 'start' })
  expect([second.data.map(({ peak }) => peak), second.meta.pageCount]).toEqual([[1, 9], 3])
})

describe('of the whole company', () => {
  test('everybody sees the public devices’, Admins the private ones’ too, nobody another company’s', async () => {
    const admin = await buildUser(t)
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const stranger = await buildUser(t)
    const van = await deviceOf(admin, { name: 'Van 3' })
    const vault = await deviceOf(admin, { name: 'Vault', visibility: 'private' })
    const from = t.clock.now().getTime() - hour
    await van.send(from, [9, 5])
    await vault.send(from + step, [9, 5])
    const names = async (user: TestUser, query?: Query) =>
      (await page(user, '/excursions', query)).data.map(({ deviceName }) => deviceName)
    expect(await names(admin)).toEqual(['Vault', 'Van 3'])
    expect(await names(staff)).toEqual(['Van 3'])
    expect(await names(stranger)).toEqual([])
    expect(await names(admin, { search: 'van' })).toEqual(['Van 3'])
    expect(await names(admin, { device: String(vault.id) })).toEqual(['Vault'])
    expect(await names(staff, { device: String(vault.id) })).toEqual([])
    expect(await names(admin, { device: '999999999999999' })).toEqual([])
    for (const path of [`/devices/${vault.id}/excursion`, `/devices/${vault.id}/excursion/summary`]) {
      expect((await t.call('GET', path, { token: admin.token })).status).toBe(200)
      expect((await t.call('GET', path, { token: staff.token })).status).toBe(404)
      expect((await t.call('GET', path, { token: stranger.token })).status).toBe(404)
    }
  })

  test('without a period it is the last 30 days', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    const now = t.clock.now().getTime()
    await device.send(now - 31 * day, [9, 5])
    await device.send(now - 29 * day, [10, 5])
    expect((await page(admin, '/excursions')).data.map(({ peak }) => peak)).toEqual([10])
    expect((await page(admin, '/excursions', { from: iso(now - 40 * day) })).meta.total).toBe(2)
    expect((await page(admin, '/excursions', { to: iso(now - 30 * day) })).data.map(({ peak }) => peak)).toEqual([9])
  })
})

test('what a lapsed licence hides is not told: neither later excursions nor the rest of one that goes on', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  const from = t.clock.now().getTime() - 10 * hour
  await device.send(from, [5, 9, 5, 9, 10, 15, 15, 5, 9, 5])
  const hidden = from + 4.5 * step
  await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx
      .updateTable('devices')
      .set({ licence_until: new Date(hidden - 30 * day) })
      .where('id', '=', device.id)
      .execute(),
  )
  const { data, meta } = await ofDevice(admin, device, { sort: 'start' })
  expect(meta.total).toBe(2)
  expect(data[0]).toMatchObject({ isCutOff: false, peak: 9, degreeMinutes: 10 })
  expect(data[1]).toMatchObject({
    isCutOff: true,
    endAt: null,
    peak: null,
    peakAt: null,
    degreeMinutes: null,
    readings: null,
    durationMs: 1.5 * step,
  })
  const { temperature } = await summaryOf(admin, device)
  expect(temperature).toMatchObject({ count: 2, aboveMs: 2.5 * step - 1, highest: { value: 9 } })
})

describe('what makes no sense is a 422', () => {
  const from = '2026-11-01T00:00:00Z'
  const to = '2026-11-02T00:00:00Z'
  test.each<[string, Query]>([
    ['from', { from: to, to: from }],
    ['to', { from: '2016-11-01T00:00:00Z', to }],
    ['from', { from: 'yesterday' }],
    ['measure', { measure: 'pressure' }],
    ['side', { side: 'inside' }],
    ['open', { open: 'yes' }],
    ['sort', { sort: 'peak' }],
    ['perPage', { perPage: '201' }],
  ])('%s %j', async (field, query) => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    for (const path of ['/excursions', `/devices/${device.id}/excursion`]) {
      const { status, body } = await t.call('GET', path, { token: admin.token, query })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]])
    }
  })

  test('start later than end is said in the words people know', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    const path = `/devices/${device.id}/excursion/summary`
    const { body } = await t.call('GET', path, { token: admin.token, query: { from: to, to: from } })
    expect(body.fields.from).toEqual(['Start date cannot be later than End date'])
  })
})
