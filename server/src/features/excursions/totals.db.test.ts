import type { ExcursionTotals } from '@isotherm/contract/excursions.ts'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const step = 10 * minute

/** A device between 2 and 8 degrees that measured these values, every 10 minutes, from two days ago. */
async function device(admin: TestUser, name: string, values: number[], visibility: 'private' | 'public' = 'public') {
  const from = t.clock.now().getTime() - 48 * 60 * minute
  const validFrom = new Date(from - 60 * minute)
  const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
  const made = await aDevice(t, { companyId: admin.companyId, name, intervalS: 600, validFrom, limits, visibility })
  const readings = values.map((temperatureC, i) => ({ at: new Date(from + i * step), temperatureC }))
  await pipeline.send(made, readings)
  return { ...made, from }
}

async function totals(user: TestUser, query: Record<string, string> = {}): Promise<ExcursionTotals> {
  const { status, body } = await t.call('GET', '/excursions/totals', { token: user.token, query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}
const plain = ({ all, devices, causes }: ExcursionTotals) => ({
  all: [all.count, all.outMs / minute, all.longestMs / minute],
  devices: devices.map((one) => [one.device.name, one.count, one.outMs / minute, one.longestMs / minute]),
  causes: causes.map((one) => [one.cause?.name ?? null, one.count, one.outMs / minute]),
})

/** Van: 10 and 30 minutes too warm, 10 too cold, the first with a cause; Vault, private: 20 minutes. */
async function fleet() {
  const admin = await buildUser(t)
  const van = await device(admin, 'Van', [5, 9, 5, 9, 9, 9, 5, 1, 5])
  const vault = await device(admin, 'Vault', [5, 9, 9, 5], 'private')
  const { payload } = (
    await t.call('GET', '/excursions', { token: admin.token, query: { device: String(van.id), sort: 'start' } })
  ).body
  const body = { ids: [payload.data[0].id], cause: 'doorOpen' }
  expect((await t.call('PATCH', '/excursions', { token: admin.token, body })).status).toBe(200)
  return { admin, van, vault }
}

test('count, time outside and longest, by device and by cause, the most time outside first', async () => {
  const { admin } = await fleet()
  expect(plain(await totals(admin))).toEqual({
    all: [4, 70, 30],
    devices: [
      ['Van', 3, 50, 30],
      ['Vault', 1, 20, 20],
    ],
    causes: [
      [null, 3, 60],
      ['Door open', 1, 10],
    ],
  })
})

test('are of what the filters leave, and of the part within the period', async () => {
  const { admin, van } = await fleet()
  expect(plain(await totals(admin, { side: 'below' })).all).toEqual([1, 10, 10])
  expect(plain(await totals(admin, { cause: 'doorOpen' })).devices).toEqual([['Van', 1, 10, 10]])
  expect(plain(await totals(admin, { search: 'vau' })).all).toEqual([1, 20, 20])
  expect(plain(await totals(admin, { device: String(van.id) })).all).toEqual([3, 50, 30])
  const from = new Date(van.from + 4 * step).toISOString()
  expect(plain(await totals(admin, { device: String(van.id), from })).all).toEqual([2, 30, 20])
  const before = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' }
  expect(await totals(admin, before)).toMatchObject({ all: { count: 0, outMs: 0 }, devices: [], deviceCount: 0 })
})

test('are of the devices that their reader sees', async () => {
  const { admin } = await fleet()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  expect(plain(await totals(manager))).toMatchObject({ all: [3, 50, 30], devices: [['Van', 3, 50, 30]] })
  expect(plain(await totals(await buildUser(t))).all).toEqual([0, 0, 0])
})

test('are exported as CSV, with an entry in the trail, by who may export', async () => {
  const { admin } = await fleet()
  const answer = await t.call('GET', '/excursions/totals/export', { token: admin.token })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = parse(String(answer.body), { bom: true }) as string[][]
  expect(lines.slice(1)).toEqual([
    ['device', 'Van', '3', '50', '30'],
    ['device', 'Vault', '1', '20', '20'],
    ['cause', '', '3', '60', '30'],
    ['cause', 'Door open', '1', '10', '10'],
  ])
  expect((await trailOf(t, admin.companyId)).at(-1)?.action).toBe('devices.excursionTotalsExported')
  await setMatrix(t, admin.companyId, 'staff', only('devices.view'))
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect((await t.call('GET', '/excursions/totals/export', { token: staff.token })).status).toBe(403)
})

test('each chip of the list says how many it would leave, with the search and the other chips as they are', async () => {
  const { admin } = await fleet()
  const counts = async (user: TestUser, query: Record<string, string> = {}) =>
    (await t.call('GET', '/excursions', { token: user.token, query })).body.payload.filterCounts
  expect(await counts(admin)).toEqual({
    open: { all: 4, true: 0, false: 4 },
    measure: { all: 4, temperature: 4, humidity: 0 },
    side: { all: 4, above: 3, below: 1 },
  })
  expect(await counts(admin, { side: 'below', search: 'van' })).toMatchObject({
    open: { all: 1, false: 1 },
    side: { all: 3, above: 2, below: 1 },
  })
  expect((await counts(await buildUser(t, { company: admin, role: 'manager' }))).side.all).toBe(3)
})

test('a sample device counts where no real one is there, or where it is asked for', async () => {
  const admin = await buildUser(t)
  const sample = await device(admin, 'Sample', [5, 9, 9, 5])
  await t.change(admin.companyId, `update devices set sample_until = now() + interval '30 days' where id = $1`, [
    sample.id,
  ])
  expect(plain(await totals(admin)).all).toEqual([1, 20, 20])
  await device(admin, 'Van', [5, 9, 5])
  expect(plain(await totals(admin))).toMatchObject({ all: [1, 10, 10], devices: [['Van', 1, 10, 10]] })
  expect(plain(await totals(admin, { device: String(sample.id) })).all).toEqual([1, 20, 20])
})
