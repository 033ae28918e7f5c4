import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

const t = describeApp()
const pipeline = describePipeline(t)
let geocoder: Server
let online: TestApp
const asked: string[] = []
let answer = { status: 200, body: '[]' }

beforeAll(async () => {
  geocoder = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => geocoder.once('listening', resolve))
  const { port } = geocoder.address() as AddressInfo
  online = await startTestApp({ geocoderUrl: `http://127.0.0.1:${port}/search?lang={lang}&q={q}` })
})
afterAll(async () => {
  await online.close()
  geocoder.close()
})

const find = async (app: TestApp, q: string, locale = 'en') => {
  const { token } = await buildUser(app, { locale })
  return (await app.call('GET', '/geocode', { token, query: { q } })).body.payload
}

test('towns are found without internet, the largest first', async () => {
  const { places, message } = await find(t, 'lagos')
  expect(places[0]).toMatchObject({ name: 'Lagos', country: 'NG' })
  expect(places[0].lat).toBeCloseTo(6.45, 1)
  expect(places[0].lon).toBeCloseTo(3.39, 1)
  expect(message).toBeNull()
})

test('of two towns of one name the one near a device of the person comes first', async () => {
  const user = await buildUser(t)
  const device = await aDevice(t, { companyId: user.companyId })
  const first = async () =>
    (await t.call('GET', '/geocode', { token: user.token, query: { q: 'lagos' } })).body.payload.places[0]
  expect((await first()).country).toBe('NG')
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5, lat: 37.2, lon: -8.5 }])
  expect((await first()).country).toBe('PT')
})

test('while no device has a position, a town of the company’s country comes first', async () => {
  const { token, companyId } = await buildUser(t)
  await t.change(companyId, `update companies set country = 'PT'`)
  const { body } = await t.call('GET', '/geocode', { token, query: { q: 'lagos' } })
  expect(body.payload.places[0].country).toBe('PT')
})

test('nothing found says what to do instead, in every language', async () => {
  expect(await find(t, 'Xyzzyqwv')).toEqual({
    places: [],
    message:
      'Location cannot be processed. Please try another location or proceed to manually draw geofence around the location',
  })
  expect((await find(t, 'Xyzzyqwv', 'sw')).message).toMatch(/^Mahali hapa/)
})

test('whoever is logged in may search, also without a right to devices; too little or too much to search for is refused', async () => {
  const user = await buildUser(t, { role: 'staff' })
  await setMatrix(t, user.companyId, 'staff', only())
  const ask = (q: string) => t.call('GET', '/geocode', { token: user.token, query: { q } })
  expect((await ask('Nairobi')).status).toBe(200)
  expect((await ask('')).status).toBe(422)
  expect((await ask('x'.repeat(101))).status).toBe(422)
})

test('a configured geocoder adds addresses, in the person’s language', async () => {
  const address = {
    display_name: '12 Moi Avenue, Nairobi',
    lat: '-1.28',
    lon: '36.82',
    address: { country_code: 'ke' },
  }
  answer = { status: 200, body: JSON.stringify([address]) }
  const { places } = await find(online, '12 Moi Avenue & co', 'fr')
  expect(places).toEqual([
    { name: '12 Moi Avenue, Nairobi', country: 'KE', near: null, lat: -1.28, lon: 36.82, population: null },
  ])
  expect(asked.at(-1)).toBe('/search?lang=fr&q=12%20Moi%20Avenue%20%26%20co')
})

test('a geocoder that fails, or answers nonsense, takes no town away', async () => {
  for (answer of [
    { status: 500, body: '' },
    { status: 200, body: '{"error":"no"}' },
  ]) {
    expect((await find(online, 'Mombasa')).places[0]).toMatchObject({ name: 'Mombasa', country: 'KE' })
  }
})

test('a path is cleaned and its place named, and nothing is written', async () => {
  const { token } = await buildUser(t)
  const fix = (minute: number, lat: number, lon: number) => ({
    at: new Date(Date.UTC(2026, 0, 1, 8, minute)).toISOString(),
    lat,
    lon,
  })
  const fixes = [fix(0, 6.5, 3.35), fix(1, 48.8, 2.3), fix(2, 6.51, 3.35), ...[4, 8, 12].map((m) => fix(m, 6.52, 3.35))]
  const answered = await t.call('POST', '/map-corrections', { token, body: { fixes } })
  expect(answered.status).toBe(200)
  const { payload } = answered.body
  expect(payload.removed.jumps).toBe(1)
  expect(payload.stops).toHaveLength(1)
  expect(payload.path.every((each: { lat: number }) => each.lat < 7)).toBe(true)
  const many = Array.from({ length: 5001 }, (_, i) => fix(i % 60, 6, 3))
  expect((await t.call('POST', '/map-corrections', { token, body: { fixes: many } })).status).toBe(422)
  expect((await t.call('POST', '/map-corrections', { token, body: { fixes: [] } })).status).toBe(422)
})
