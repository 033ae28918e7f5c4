import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fleet } from '@isotherm/simulator/fleet.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import type { TestPipeline } from '../../test/test-pipeline.ts'
import { trailOf } from '../../test/trail.ts'
import { withPipeline } from '../../test/with-pipeline.ts'
import { ensureOrders } from './orders.ts'
import { seedDemo } from './seed.ts'

let t: TestApp
let pipeline: TestPipeline
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'isotherm-demo-'))
  t = await startTestApp({ dataDir })
  pipeline = await withPipeline(t)
})
afterAll(async () => {
  await pipeline.close()
  await t.close()
  await rm(dataDir, { recursive: true })
})

const fleets = { main: fleet('demo'), second: fleet('second').slice(0, 1) }
const imei = fleets.main[0]!.imei
const points = fleets.main.flatMap(({ probes }) => probes)
const seed = (password?: string) =>
  seedDemo(password ? { ...t.services, config: { ...t.services.config, demoPassword: password } } : t.services, fleets)
const login = (email: string, password: string) => t.call('POST', '/auth/login', { body: { email, password } })
const tokenOf = async (email: string, password: string) =>
  (await login(email, password)).body.payload.tokens.accessToken as string

test('everybody of the demo logs in with the password it tells, and finds the whole fleet', async () => {
  const demo = await seed()
  expect(demo.isNew).toBe(true)
  expect(demo.people.map(({ email }) => email)).toContain('staff@demo.test')
  for (const { email, role } of demo.people) {
    const { status, body } = await login(email, demo.password)
    expect([status, body.payload.user.role, body.payload.isShowTermsAndConditions]).toEqual([200, role, false])
    expect(body.payload.company.profileCompleted).toBe(true)
  }
  const admin = await tokenOf('admin@demo.test', demo.password)
  const { company } = (await t.call('GET', '/auth/profile', { token: admin })).body.payload
  const picture = `/app/api/v1/auth/company/logo/${company.logoVersion}`
  const logo = await t.app.inject({ url: picture, headers: { authorization: `Bearer ${admin}` } })
  expect([logo.statusCode, logo.headers['content-type']]).toEqual([200, 'image/png'])
  const { payload } = (await t.call('GET', '/devices', { token: admin, query: { perPage: '200' } })).body
  expect(payload.meta.total).toBe(points.length)
  const shown = payload.data.map(({ name, waiting, status }: Record<string, unknown>) => [name, waiting, status])
  expect(shown.sort()).toEqual(points.map(({ name }) => [name, [], 'awaiting']).sort())
  for (const path of ['/geofence', '/point-of-interests'])
    expect((await t.call('GET', path, { token: admin })).body.payload.meta.total, path).toBe(3)
  // Each shipment that was started has a record, too.
  for (const [path, count] of Object.entries({ '/enterprise/records': 4 + 4, '/grouprecords/2': 2, '/report': 2 }))
    expect((await t.call('GET', path, { token: admin })).body.payload.meta.total, path).toBe(count)
  const shipments = (await t.call('GET', '/export/shipments', { token: admin })).body.payload.data
  const sent = Object.groupBy(shipments as { state: string; isLate: boolean }[], ({ state }) => state)
  expect(Object.fromEntries(Object.entries(sent).map(([state, of]) => [state, of?.length]))).toEqual({
    ...{ pending: 1, ongoing: 3, completed: 1, cancelled: 1 },
  })
  expect(shipments.filter(({ isLate }: { isLate: boolean }) => isLate)).toEqual([])
  const treated = shipments.find(({ product }: { product: string }) => product === 'Oranges')
  const { treatment, probes } = (
    await t.call('GET', `/export/shipments/${treated.id}/cold-treatment`, { token: admin })
  ).body.payload
  expect([treatment.protocol.id, probes.map(({ certificateNo }: { certificateNo: string }) => certificateNo)]).toEqual([
    'eu-fcm-b',
    ['CAL-26-410', 'CAL-26-411', 'CAL-26-412'],
  ])
  const other = await tokenOf('admin@second.demo.test', demo.password)
  expect((await t.call('GET', '/devices', { token: other })).body.payload.meta.total).toBe(1)
})

test('again, it changes nothing and keeps the password', async () => {
  const first = await seed()
  const before = await trailOf(t, first.companyId)
  const again = await seed()
  expect([again.isNew, again.password, again.companyId]).toEqual([false, first.password, first.companyId])
  expect(await trailOf(t, first.companyId)).toHaveLength(before.length)
  expect(again.secretOf(imei)).toBe(first.secretOf(imei))
})

test('password and secrets are for its owner’s eyes', async () => {
  const demo = await seed()
  const file = join(dataDir, 'demo.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8')).password).toBe(demo.password)
})

test('DEMO_PASSWORD replaces the one of before', async () => {
  const before = (await seed()).password
  const demo = await seed('a password of my own')
  expect((await login('staff@demo.test', demo.password)).status).toBe(200)
  expect((await login('staff@demo.test', before)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await seed()).password).toBe('a password of my own')
})

test('trackers have a past of a month: history of 31 days is accepted', async () => {
  const demo = await seed()
  const at = new Date(t.clock.now().getTime() - 31 * 86_400_000)
  const answer = await pipeline.send({ imei, secret: demo.secretOf(imei) ?? '' }, [{ at, temperatureC: 5 }])
  expect(answer).toMatchObject({ accepted: 1, rejected: [] })
})

test('the demo’s alarms have judged that past: it fired, and nobody was told', async () => {
  const demo = await seed()
  const from = t.clock.now().getTime() - 20 * 86_400_000
  const warm = [0, 3, 6, 9, 12, 15].map((minute) => ({ at: new Date(from + minute * 60_000), temperatureC: 12 }))
  const device = { imei, secret: demo.secretOf(imei) ?? '' }
  await pipeline.send(device, [...warm, { at: new Date(from + 18 * 60_000), temperatureC: 5 }])
  const token = await tokenOf('admin@demo.test', demo.password)
  const query = { states: 'normal' }
  const { payload } = (await t.call('GET', '/alarm-triggers', { token, query })).body
  expect(payload.data).toMatchObject([{ alarmName: 'Vaccines too warm', peak: 12, isShelved: true, told: [] }])
})

test('its orders come after the readings: those that are over were signed for by what was measured, with receipts', async () => {
  const demo = await seed()
  const van = fleets.main.find(({ probes }) => probes.some(({ name }) => name === 'Van LND-482 XA'))!
  const now = t.clock.now().getTime()
  const past = Array.from({ length: 1_000 }, (_, n) => ({ at: new Date(now - n * 300_000), temperatureC: 5 }))
  await pipeline.send({ imei: van.imei, secret: demo.secretOf(van.imei) ?? '' }, past.reverse())
  await ensureOrders(t.services, demo.companyId)
  await t.runJobs()
  const token = await tokenOf('admin@demo.test', demo.password)
  const read = async (path: string, query = {}) => (await t.call('GET', path, { token, query })).body.payload
  // Each order and each shipment that was started has a record, too.
  expect((await read('/enterprise/records')).meta.total).toBe(4 + 4 + 4)
  const orders = (await read('/dispatch/orders')).data as { id: string; state: string }[]
  const states = Object.groupBy(orders, ({ state }) => state)
  expect(Object.fromEntries(Object.entries(states).map(([state, of]) => [state, of?.length]))).toEqual({
    ...{ new: 3, inProgress: 2, completed: 2, cancelled: 1 },
  })
  const [musa] = (await read('/dispatch/drivers', { search: 'Musa' })).data
  expect(musa).toMatchObject({ vehicle: { plate: 'LND-482 XA' }, runningOrders: 1 })
  const signed = {
    voidAt: null,
    by: 'Musa Bello',
    signatureSha256: expect.any(String),
    receiptSha256: expect.any(String),
  }
  for (const { id } of states.completed ?? [])
    expect(await read(`/dispatch/orders/${id}/handovers`)).toMatchObject([
      { ...signed, signerName: 'Folake Ojo', conditions: { verdict: 'inRange' } },
      { ...signed, signerName: 'Tunde Alabi', conditions: { verdict: 'inRange' } },
    ])
})

test('the store of the demo offers six things in four languages, each with a picture and a price with tax', async () => {
  const demo = await seed()
  const token = await tokenOf('admin@demo.test', demo.password)
  const itemsOf = async () => (await t.call('POST', '/enterprise/gricd', { token })).body.payload.items
  const items = await itemsOf()
  expect(items).toHaveLength(6)
  for (const { picture, price } of items) {
    expect(picture).toMatch(/^data:image\/png;base64,/)
    expect(price).toMatchObject({ currency: 'NGN', taxes: [expect.objectContaining({ name: 'VAT' })] })
  }
  for (const locale of ['fr', 'es', 'sw']) {
    await t.call('PATCH', '/auth/user/profile', { token, body: { locale } })
    const names = (await itemsOf()).map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => items.some((item: { name: string }) => item.name === name))).toEqual([])
  }
  await t.call('PATCH', '/auth/user/profile', { token, body: { locale: 'en' } })
})
