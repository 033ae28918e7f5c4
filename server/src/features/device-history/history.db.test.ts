import type { Reading } from '@isotherm/contract/device-history.ts'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const day = 86_400_000
const iso = (at: number) => new Date(at).toISOString()

/** An Admin with a device whose assignment began long ago. */
async function own() {
  const admin = await buildUser(t)
  const device = await aDevice(t, { ...admin, validFrom: new Date(t.clock.now().getTime() - 500 * day) })
  const get = (path: string, query: Record<string, string>) =>
    t.call('GET', `/devices/${device.id}/history${path}`, { token: admin.token, query })
  const page = async (from: number | string, to: number | string, paging: Record<string, string> = {}) => {
    const text = (at: number | string) => (typeof at === 'number' ? iso(at) : at)
    const { body } = await get('', { from: text(from), to: text(to), ...paging })
    return body.payload as { data: Reading[]; meta: { total: number; pageCount: number } }
  }
  return { admin, device, get, page }
}

const series = (from: number, count: number, stepMs: number): TestReading[] =>
  Array.from({ length: count }, (_, i) => ({ at: new Date(from + i * stepMs), temperatureC: (i % 100) / 10 }))

test('readings of a period are paged, newest first, both ends included', async () => {
  const { device, page } = await own()
  const from = Math.floor(t.clock.now().getTime() / 3_600_000) * 3_600_000 - 5 * 3_600_000
  const readings = series(from, 100, 180_000)
  await pipeline.send(device, readings)
  const last = from + 99 * 180_000
  const { data, meta } = await page(from, last, { perPage: '30' })
  expect(meta).toEqual({ page: 1, perPage: 30, total: 100, pageCount: 4 })
  expect([data[0]?.at, data[29]?.at]).toEqual([iso(last), iso(last - 29 * 180_000)])
  const all = []
  for (let number = 1; number <= 4; number++)
    all.push(...(await page(from, last, { perPage: '30', page: String(number) })).data)
  expect(all.map(({ at }) => at)).toEqual(readings.map(({ at }) => at.toISOString()).reverse())
  expect((await page(from + 1, last - 1)).meta.total).toBe(98)
  expect((await page(last + 1, last + day)).data).toEqual([])
  expect((await page(from, last, { page: '5', perPage: '30' })).data).toEqual([])
})

test('read on by `next`, nothing is missed or told twice while new readings come in', async () => {
  const { device, get } = await own()
  const from = Math.floor(t.clock.now().getTime() / 3_600_000) * 3_600_000 - 5 * 3_600_000
  await pipeline.send(device, series(from, 50, 180_000))
  const to = from + 4 * 3_600_000
  const told: string[] = []
  for (let next: string | null = iso(to); next !== null; ) {
    const answer: { data: Reading[]; next: string | null } = (
      await get('', { from: iso(from), to: iso(to), before: next, perPage: '20' })
    ).body.payload
    told.push(...answer.data.map(({ at }) => at))
    next = answer.next
    await pipeline.send(device, series(from + (50 + told.length) * 180_000 + 1_000, 3, 1_000))
  }
  expect(told).toEqual(
    series(from, 50, 180_000)
      .map(({ at }) => at.toISOString())
      .reverse(),
  )
})

test('pages far back are the same rows as any others, whatever the hours hold', async () => {
  const { device, page } = await own()
  const start = t.clock.now().getTime() - 60 * day - 1_234_567
  // Dense and sparse hours, and a silence of two days.
  const readings = [...series(start, 2_500, 61_000), ...series(start + 5 * day, 900, 977_000)]
  for (let i = 0; i < readings.length; i += 500) await pipeline.send(device, readings.slice(i, i + 500))
  const [from, to] = [start + 5_000, start + 17 * day]
  const expected = readings
    .map(({ at }) => at.getTime())
    .filter((at) => at >= from && at <= to)
    .reverse()
  const perPage = 200
  expect((await page(from, to)).meta.total).toBe(expected.length)
  for (const number of [1, 5, 6, 7, 11, 14, 17]) {
    const { data } = await page(from, to, { page: String(number), perPage: String(perPage) })
    const offset = (number - 1) * perPage
    expect(
      data.map(({ at }) => Date.parse(at)),
      `page ${number}`,
    ).toEqual(expected.slice(offset, offset + perPage))
  }
})

test('a day is as long as its zone says: 23 and 25 hours when clocks change', async () => {
  const { device, page } = await own()
  const hours = (from: string, count: number): TestReading[] =>
    Array.from({ length: count }, (_, i) => ({ at: new Date(Date.parse(from) + i * 3_600_000), temperatureC: 5 }))
  t.clock.set(new Date('2026-11-01T00:00:00Z'))
  const admin = await buildUser(t)
  const other = await aDevice(t, { ...admin, validFrom: new Date('2026-01-01T00:00:00Z') })
  await pipeline.send(other, [...hours('2026-03-28T12:00:00Z', 48), ...hours('2026-10-24T12:00:00Z', 48)])
  const count = async (from: string, to: string) => {
    const query = { from, to }
    const { body } = await t.call('GET', `/devices/${other.id}/history`, { token: admin.token, query })
    return body.payload.meta.total
  }
  // Europe/Berlin: the last Sundays of March and October; `to` is the last millisecond of the day.
  expect(await count('2026-03-29T00:00:00+01:00', '2026-03-29T23:59:59.999+02:00')).toBe(23)
  expect(await count('2026-10-25T00:00:00+02:00', '2026-10-25T23:59:59.999+01:00')).toBe(25)
  t.clock.set(new Date())
  expect((await page('2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z')).data).toEqual([])
  expect(device.id).not.toBe(other.id)
})

test('values come back as they were sent, with what a device did not measure as null', async () => {
  const { device, page } = await own()
  const at = t.clock.now()
  await pipeline.send(device, [
    { at, temperatureC: -18.35, humidityPct: 61.25, batteryPct: 7, lightLux: 12_000, lat: -33.9249, lon: 18.4241 },
    { at: new Date(at.getTime() - 1000), batteryPct: 8 },
  ])
  const { data } = await page(at.getTime() - 1000, at.getTime())
  expect(data).toEqual([
    {
      at: at.toISOString(),
      receivedAt: at.toISOString(),
      temperatureC: -18.35,
      humidityPct: 61.25,
      batteryPct: 7,
      lightLux: 12_000,
      lat: -33.9249,
      lon: 18.4241,
      temperature: null,
      humidity: null,
    },
    expect.objectContaining({ batteryPct: 8, temperatureC: null, humidityPct: null, lat: null, lon: null }),
  ])
})

describe('a period that makes no sense is a 422', () => {
  const from = '2026-11-01T00:00:00Z'
  const to = '2026-11-02T00:00:00Z'
  test.each([
    ['from', { to }],
    ['to', { from }],
    ['from', { from: 'yesterday', to }],
    ['from', { from: '2026-11-01', to }],
    ['from', { from: '2026-11-01T00:00:00', to }],
    ['from', { from: '2026-02-30T00:00:00Z', to }],
    ['to', { from, to: '2026-11-02T25:00:00Z' }],
    ['from', { from: to, to: from }],
    ['to', { from: '2020-01-01T00:00:00Z', to }],
    ['perPage', { from, to, perPage: '1000' }],
    ['bucket', { from, to, bucket: '5' }],
  ])('%s %j', async (field, query) => {
    const { get } = await own()
    const { status, body } = await get('', query as Record<string, string>)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]])
  })

  test('start later than end is said in the words people know', async () => {
    const { get } = await own()
    const { body } = await get('', { from: to, to: from })
    expect(body.fields.from).toEqual(['Start date cannot be later than End date'])
  })

  test('for chart and map as well, and for how many points', async () => {
    const { get } = await own()
    for (const path of ['/chart', '/map-points']) {
      for (const points of ['9', '2001', 'many', '10.5'])
        expect(Object.keys((await get(path, { from, to, points })).body.fields), points).toEqual(['points'])
      expect((await get(path, { from: to, to: from })).status).toBe(422)
    }
  })
})

test('the ends of time are only far away', async () => {
  const { get } = await own()
  for (const year of ['1000', '1969', '9989'])
    for (const path of ['', '/chart', '/map-points']) {
      const answer = await get(path, { from: `${year}-01-01T00:00:00Z`, to: `${year}-12-31T00:00:00Z` })
      expect(answer.status, `${year}${path}`).toBe(200)
    }
  for (const path of ['', '/chart', '/map-points'])
    expect((await get(path, { from: '0000-01-01T00:00:00+12:00', to: '0000-01-01T00:00:00Z' })).status).toBe(422)
})
