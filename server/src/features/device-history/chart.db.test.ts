import type { Chart } from '@isotherm/contract/device-history.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

async function own(intervalS = 180) {
  const admin = await buildUser(t)
  const validFrom = new Date(t.clock.now().getTime() - 400 * day)
  const device = await aDevice(t, { ...admin, intervalS, validFrom })
  const change = (body: object) => t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body })
  const send = async (readings: TestReading[]) => {
    for (let i = 0; i < readings.length; i += 500) await pipeline.send(device, readings.slice(i, i + 500))
  }
  const chart = async (from: number, to: number, points?: number): Promise<Chart> => {
    const query = {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      ...(points ? { points: String(points) } : {}),
    }
    return (await t.call('GET', `/devices/${device.id}/history/chart`, { token: admin.token, query })).body.payload
  }
  const path = async (from: number, to: number, points = 500) => {
    const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), points: String(points) }
    return (await t.call('GET', `/devices/${device.id}/history/map-points`, { token: admin.token, query })).body.payload
  }
  return { device, change, send, chart, path }
}

const numbers = (values: (number | null)[]) => values.filter((value) => value !== null)
const highest = (chart: Chart) => Math.max(...numbers(chart.temperature.max))
const lowest = (chart: Chart) => Math.min(...numbers(chart.temperature.min))
/** Repeatable and uneven: a linear congruential generator (Numerical Recipes). */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

test('few readings are each a point, with their own times', async () => {
  const { send, chart } = await own()
  const to = t.clock.now().getTime()
  const readings = Array.from({ length: 480 }, (_, i) => ({
    at: new Date(to - day + 1 + i * 3 * minute),
    temperatureC: (500 + i) / 100,
    humidityPct: 40,
    batteryPct: 80,
    lightLux: i,
  }))
  await send(readings)
  const drawn = await chart(to - day, to)
  expect(drawn.bucketS).toBe(0)
  expect(drawn.atMs).toEqual(readings.map(({ at }) => at.getTime()))
  expect(drawn.temperature.avg).toEqual(readings.map(({ temperatureC }) => temperatureC))
  expect(drawn.temperature.min).toEqual(drawn.temperature.max)
  expect(drawn.lightLux?.at(-1)).toBe(479)
  expect(drawn.gaps).toEqual([])
})

test('however coarse the buckets, no peak is lost, and none from outside the period is let in', async () => {
  const { send, chart } = await own()
  const random = dice(42)
  const end = Math.floor(t.clock.now().getTime() / hour) * hour - 17 * minute
  const start = end - 40 * day
  const readings: (TestReading & { temperatureC: number })[] = []
  for (let at = start; at < end; at += 9 * minute + Math.floor(random() * minute))
    readings.push({ at: new Date(at), temperatureC: Math.round((5 + (random() - 0.5) * 4) * 100) / 100 })
  // Just outside and just inside both ends of what will be asked for, in the same hours.
  const [from, to] = [start + 3 * day + 31 * minute, end - 2 * day - 13 * minute]
  readings.push({ at: new Date(from - 1), temperatureC: 99 }, { at: new Date(to + 1), temperatureC: -99 })
  readings.push({ at: new Date(from), temperatureC: 21.5 }, { at: new Date(to), temperatureC: -21.5 })
  await send(readings)
  for (const points of [10, 77, 500, 2000]) {
    const drawn = await chart(from, to, points)
    expect([highest(drawn), lowest(drawn)], `${points} points`).toEqual([21.5, -21.5])
    expect(drawn.atMs.length).toBeLessThanOrEqual(points * 1.5 + drawn.gaps.length + 2)
    expect(drawn.atMs).toEqual([...drawn.atMs].sort((a, b) => a - b))
    expect(drawn.atMs.every((at) => at >= from && at <= to)).toBe(true)
  }
  // A shorter period with its own extremes, from raw buckets.
  const inner = readings.filter(({ at }) => at.getTime() >= from + 9 * day && at.getTime() <= from + 12 * day)
  const values = inner.map(({ temperatureC }) => temperatureC)
  const drawn = await chart(from + 9 * day, from + 12 * day, 100)
  expect(drawn.bucketS).toBeGreaterThan(0)
  expect([highest(drawn), lowest(drawn)]).toEqual([Math.max(...values), Math.min(...values)])
})

test('averages from rollups are those of the readings themselves', async () => {
  const { send, chart } = await own()
  const from = Math.floor(t.clock.now().getTime() / (10 * hour)) * 10 * hour - 100 * hour
  const readings = Array.from({ length: 1000 }, (_, i) => ({
    at: new Date(from + i * 6 * minute),
    temperatureC: ((i * i) % 997) / 10,
  }))
  await send(readings)
  const drawn = await chart(from, from + 100 * hour - 1, 10)
  expect(drawn.bucketS).toBe(36_000)
  const expected = Array.from({ length: 10 }, (_, bucket) => {
    const inside = readings.slice(bucket * 100, bucket * 100 + 100).map(({ temperatureC }) => temperatureC)
    return Math.round((inside.reduce((sum, value) => sum + value, 0) / 100) * 100) / 100
  })
  expect(drawn.temperature.avg).toEqual(expected)
})

test('silence of more than three intervals breaks the line and is listed; three intervals do not', async () => {
  const { send, chart } = await own(600)
  const from = t.clock.now().getTime() - 10 * hour
  const at = [0, 10, 40, 71, 81].map((minutes) => from + minutes * minute)
  await send(at.map((instant) => ({ at: new Date(instant), temperatureC: 5 })))
  const drawn = await chart(from, from + 10 * hour)
  expect(drawn.temperature.avg).toEqual([5, 5, 5, null, 5, 5])
  expect(drawn.gaps).toEqual([
    { from: new Date(at[2] as number).toISOString(), to: new Date(at[3] as number).toISOString() },
  ])
})

test('a day of a reading every 5 seconds is more than 24 hours of it', async () => {
  const { send, chart } = await own()
  const to = t.clock.now().getTime()
  const count = 17_280
  await send(Array.from({ length: count }, (_, i) => ({ at: new Date(to - day + i * 5_000), temperatureC: 5 })))
  const { bucketS, atMs, temperature } = await chart(to - day, to)
  expect(bucketS).toBe(180)
  expect(atMs.length).toBeGreaterThanOrEqual(480)
  expect(numbers(temperature.avg)).toHaveLength(atMs.length)
})

test('a gap of days is a gap in a chart of months too', async () => {
  const { send, chart } = await own(600)
  const from = Math.floor(t.clock.now().getTime() / hour) * hour - 90 * day
  const week = (start: number) =>
    Array.from({ length: 1008 }, (_, i) => ({ at: new Date(start + i * 10 * minute), temperatureC: 5 }))
  await send([...week(from), ...week(from + 20 * day)])
  const drawn = await chart(from, from + 90 * day, 200)
  expect(drawn.bucketS).toBeGreaterThanOrEqual(3600)
  expect(drawn.gaps).toHaveLength(1)
  expect(Math.abs(Date.parse(drawn.gaps[0]!.from) - (from + 7 * day))).toBeLessThanOrEqual(hour)
  expect(Math.abs(Date.parse(drawn.gaps[0]!.to) - (from + 20 * day))).toBeLessThanOrEqual(hour)
  expect(numbers(drawn.temperature.avg)).toHaveLength(drawn.atMs.length - 1)
  expect([numbers(drawn.batteryPct ?? []), drawn.lightLux]).toEqual([[], null])
})

test('a chart of months has the battery, also where not every reading tells it, and none of after the period', async () => {
  const { send, chart } = await own(600)
  const to = Math.floor(t.clock.now().getTime() / hour) * hour
  const from = to - 30 * day
  const tenMinutes = Array.from({ length: 4_320 }, (_, i) => ({
    at: new Date(from + i * 10 * minute),
    temperatureC: 5,
    // A percent every seven hours; a charge of the last day begins anew.
    ...(i % 3 === 0 ? { batteryPct: i < 4_176 ? 100 - Math.floor(i / 42) : 100 } : {}),
  }))
  await send([...tenMinutes, { at: new Date(to + minute), temperatureC: 5, batteryPct: 0 }])
  const { bucketS, batteryPct, atMs } = await chart(from, to, 1_200)
  const battery = numbers(batteryPct ?? [])
  expect([bucketS, battery.length]).toEqual([3600, atMs.length])
  expect([battery[0], battery[360], battery.at(-1)]).toEqual([100, 49, 100])
  expect([Math.min(...battery), Math.max(...battery)]).toEqual([1, 100])
})

test('a measure that comes less often keeps its value between, and ends after three intervals', async () => {
  const { send, chart } = await own(600)
  const from = t.clock.now().getTime() - 5 * hour
  await send([
    { at: new Date(from), temperatureC: 5, humidityPct: 60 },
    { at: new Date(from + 10 * minute), temperatureC: 5 },
    { at: new Date(from + 20 * minute), temperatureC: 5, humidityPct: 70 },
    { at: new Date(from + 40 * minute), temperatureC: 5 },
    { at: new Date(from + 60 * minute), temperatureC: 5 },
  ])
  expect((await chart(from, from + hour)).humidity.avg).toEqual([60, 60, 70, 70, null])
})

test('limits come with their history, and excursions that touch the period', async () => {
  const { device, change, send, chart } = await own(600)
  const from = t.clock.now().getTime()
  await change({ limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
  const walk = async (temperatureC: number) => {
    t.clock.advance(10 * minute)
    await send([{ at: t.clock.now(), temperatureC }])
  }
  for (const value of [5, 9, 12, 9, 5, 1.5]) await walk(value)
  const to = t.clock.now().getTime()
  const drawn = await chart(from, to)
  expect(drawn.limits).toMatchObject([
    { from: new Date(from).toISOString(), to: new Date(to).toISOString(), temperatureMaxC: 8 },
  ])
  const at = (minutes: number) => new Date(from + minutes * minute).toISOString()
  expect(drawn.excursions).toMatchObject([
    { measure: 'temperature', side: 'above', startAt: at(20), endAt: at(50), peak: 12, peakAt: at(30) },
    { measure: 'temperature', side: 'below', startAt: at(60), endAt: null, peak: 1.5 },
  ])
  expect((await chart(from, from + 15 * minute)).excursions).toEqual([])
  expect((await chart(from + 25 * minute, from + 30 * minute)).excursions).toHaveLength(1)
  expect((await chart(to + minute, to + day)).excursions).toMatchObject([{ side: 'below' }])
  expect(device.id).toBeGreaterThan(0)
})

test('a chart without readings is empty, not an error', async () => {
  const { chart, path } = await own()
  const to = t.clock.now().getTime()
  for (const length of [0, minute, day, 300 * day]) {
    expect(await chart(to - length, to)).toMatchObject({ atMs: [], gaps: [], excursions: [], limits: [] })
    expect(await path(to - length, to)).toEqual({ segments: [], leftOut: 0 })
  }
})

test('a path keeps its turns and stops and leaves out what says nothing; gaps cut it', async () => {
  const { send, path } = await own(600)
  const from = t.clock.now().getTime() - 10 * hour
  const fix = (minutes: number, lat: number, lon: number) => ({
    at: new Date(from + minutes * minute),
    lat,
    lon,
    temperatureC: 5,
  })
  const east = Array.from({ length: 10 }, (_, i) => fix(i * 5, 6, 3 + i * 0.01))
  const stop = Array.from({ length: 10 }, (_, i) => fix(50 + i * 5, 6, 3.09))
  const north = Array.from({ length: 10 }, (_, i) => fix(100 + i * 5, 6 + i * 0.01, 3.09))
  await send([...east, ...stop, ...north, fix(300, 7, 3.09), fix(305, 7.01, 3.09)])
  const { segments, leftOut } = await path(from, from + 10 * hour)
  expect(segments).toHaveLength(2)
  const kept = segments[0].map(({ at }: { at: string }) => (Date.parse(at) - from) / minute)
  // Start, arrival, departure, end.
  expect(kept).toEqual([0, 45, 100, 145])
  expect(segments[1]).toHaveLength(2)
  expect(leftOut).toBe(26)
})

test('a device that knows its place only now and then has one path, unless it was silent; sampled or not', async () => {
  const { send, path } = await own(180)
  const from = Math.floor(t.clock.now().getTime() / hour) * hour - 20 * day
  const week = (start: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      at: new Date(start + i * 3 * minute),
      temperatureC: 5,
      ...(i % 20 ? {} : { lat: 6 + i / 10_000, lon: 3 }),
    }))
  const [first, second] = [week(from, 2_600), week(from + 12 * day, 2_600)]
  await send([...first, ...second])
  const all = await path(from, from + 2_600 * 3 * minute)
  expect(all.segments).toHaveLength(1)
  const sampled = await path(from, from + 20 * day)
  expect(sampled.segments).toHaveLength(2)
  expect(sampled.segments[1][0].at).toBe(new Date(from + 12 * day).toISOString())
})

test('a path of very many fixes is sampled, ends where it ends, and keeps within its points', async () => {
  const { send, path } = await own(180)
  const random = dice(7)
  const count = 5_500
  const from = t.clock.now().getTime() - count * 3 * minute
  let [lat, lon] = [6, 3]
  const fixes = Array.from({ length: count }, (_, i) => {
    lat += (random() - 0.5) * 0.02
    lon += (random() - 0.5) * 0.02
    return { at: new Date(from + i * 3 * minute), lat: Math.round(lat * 1e6) / 1e6, lon: Math.round(lon * 1e6) / 1e6 }
  })
  await send(fixes)
  const { segments, leftOut } = await path(from, from + count * 3 * minute, 300)
  const points = segments.flat()
  expect(points.length).toBeLessThanOrEqual(300)
  expect(points.length).toBeGreaterThan(200)
  expect(points[0]).toMatchObject({ at: fixes[0]!.at.toISOString(), lat: 6 + (fixes[0]!.lat - 6) })
  expect(leftOut).toBe(count - points.length)
  expect(segments).toHaveLength(1)
  // Every point of this path carries information: a caller who asks for more points gets more.
  const { segments: finer } = await path(from, from + count * 3 * minute, 2_000)
  expect(finer.flat().length).toBeGreaterThan(1_900)
  expect(finer.flat().length).toBeLessThanOrEqual(2_000)
})
