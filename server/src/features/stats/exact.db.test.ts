import type { MeasureStats, StatsOfDevice } from '@isotherm/contract/stats.ts'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice, setLimits } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { plainStats } from '../../../test/recompute-stats.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'

let client: pg.Client
const t = describeApp()
const pipeline = describePipeline(t)
beforeAll(async () => {
  client = new pg.Client({ connectionString: String(t.pool.options.connectionString) })
  await client.connect()
})
afterAll(() => client.end())

const hour = 3_600_000
const day = 24 * hour
const iso = (at: number) => new Date(at).toISOString()

type Limits = { temperature?: [number | null, number | null]; humidity?: [number | null, number | null] }

async function own() {
  const admin = await buildUser(t)
  const validFrom = new Date(t.clock.now().getTime() - 400 * day)
  const device = await aDevice(t, { ...admin, intervalS: 600, validFrom })
  const ofCenti = (centi: number | null | undefined) => ((centi ?? null) === null ? null : Number(centi) / 100)
  const limit = (from: number, { temperature = [null, null], humidity = [null, null] }: Limits) => {
    const [temperatureMinC, temperatureMaxC] = temperature.map(ofCenti)
    const [humidityMinPct, humidityMaxPct] = humidity.map(ofCenti)
    return setLimits(t, device, { temperatureMinC, temperatureMaxC, humidityMinPct, humidityMaxPct }, new Date(from))
  }
  const of = async (from: number | string, to: number | string): Promise<StatsOfDevice> => {
    const text = (at: number | string) => (typeof at === 'number' ? iso(at) : at)
    const query = { from: text(from), to: text(to) }
    const { status, body } = await t.call('GET', `/devices/${device.id}/stats`, { token: admin.token, query })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.payload
  }
  const send = async (readings: TestReading[]) => {
    for (let i = 0; i < readings.length; i += 500) await pipeline.send(device, readings.slice(i, i + 500))
  }
  return { admin, device, limit, of, send }
}

interface Story {
  steps: { waitS: number; temperature: number | null; humidity: number | null }[]
  order: number[]
  disorder: number
  cut: number
  limits: { at: number; temperature: [number | null, number | null]; humidity: [number | null, number | null] }[]
  intervals: { at: number; intervalS: number }[]
  periods: [number, number][]
}

const bound = (least: number, most: number) =>
  fc
    .tuple(fc.option(fc.integer({ min: least, max: most })), fc.integer({ min: 1, max: 600 }), fc.boolean())
    .map(([low, width, open]): [number | null, number | null] => [low, open ? null : (low ?? least) + width])
const step = fc.record({
  waitS: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(180, 600, 599, 601) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 9000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 9000, max: 200_000 }) },
  ),
  temperature: fc.option(fc.integer({ min: -300, max: 1200 }), { freq: 8 }),
  humidity: fc.option(fc.integer({ min: 3000, max: 6000 }), { freq: 3 }),
})
const part = fc.double({ min: 0, max: 1, noNaN: true })
const story: fc.Arbitrary<Story> = fc.array(step, { minLength: 1, maxLength: 150 }).chain((steps) =>
  fc.record({
    steps: fc.constant(steps),
    order: fc.array(fc.nat(1000), { minLength: steps.length, maxLength: steps.length }),
    disorder: fc.constantFrom(0, 2, 30, 1000),
    cut: fc.integer({ min: 5, max: 200 }),
    limits: fc.array(fc.record({ at: part, temperature: bound(-200, 900), humidity: bound(3000, 5500) }), {
      maxLength: 3,
    }),
    intervals: fc.array(fc.record({ at: part, intervalS: fc.constantFrom(180, 600, 3600) }), { maxLength: 2 }),
    periods: fc.array(fc.tuple(part, part), { minLength: 4, maxLength: 4 }),
  }),
)

/** Writes a story down: limits and intervals of its times first, then its readings, as out of order as told. */
async function tell(told: Story) {
  const made = await own()
  const { device, admin, limit, send } = made
  const lengthMs = told.steps.reduce((sum, { waitS }) => sum + waitS * 1000, 0)
  const start = t.clock.now().getTime() - lengthMs
  const instant = (share: number) => Math.round(start + share * lengthMs)
  const limits = new Map(told.limits.map((row) => [instant(row.at), row]))
  for (const [at, row] of limits) await limit(at, row)
  for (const { at, intervalS } of told.intervals)
    await changing(t.pool, admin.companyId, ({ tx }) =>
      tx
        .insertInto('device_intervals')
        .values({
          company_id: admin.companyId,
          device_id: device.id,
          valid_from: new Date(instant(at)),
          interval_s: intervalS,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  let at = start
  const readings = told.steps.map(({ waitS, temperature, humidity }) => {
    at += waitS * 1000
    return {
      at: new Date(at),
      batteryPct: 50,
      ...(temperature === null ? {} : { temperatureC: temperature / 100 }),
      ...(humidity === null ? {} : { humidityPct: humidity / 100 }),
    }
  })
  const ranked = readings.map((reading, index) => ({
    reading,
    rank: index + ((told.order[index] ?? 0) % (told.disorder + 1)),
  }))
  const sent = ranked.sort((a, b) => a.rank - b.rank).map(({ reading }) => reading)
  for (let i = 0; i < sent.length; i += told.cut) await send(sent.slice(i, i + told.cut))
  // Around the readings, at them, and now and then beyond both ends.
  const periods = told.periods.map(([a, b], index) => {
    const ends = [instant(a * 1.2 - 0.1), instant(b * 1.2 - 0.1)].sort((x, y) => x - y) as [number, number]
    if (index === 1) return [readings[0]?.at.getTime() ?? 0, at] as [number, number]
    if (index === 2) return ends.map((end) => Math.floor(end / hour) * hour) as [number, number]
    return ends
  })
  return { ...made, periods }
}

function compare(found: MeasureStats, plain: Awaited<ReturnType<typeof plainStats>>, lengthMs: number) {
  const close = (a: number | null | undefined, b: number | null, what: string) => {
    if (a === null || a === undefined || b === null) expect(a ?? null, what).toBe(b)
    else expect(Math.abs(a - b), `${what}: ${a} and ${b}`).toBeLessThanOrEqual(1e-9)
  }
  const point = (value: { value: number; at: string } | null) =>
    value && { value: value.value, at: Date.parse(value.at) }
  expect(found.count).toBe(plain.count)
  expect(found.coveredMs).toBe(plain.coveredMs)
  expect(found.longestGap?.ms ?? 0).toBe(plain.longestGapMs)
  expect(point(found.min)).toEqual(plain.min)
  expect(point(found.max)).toEqual(plain.max)
  close(found.average, plain.average, 'average')
  if (found.mkt && found.mkt.reason !== 'frozen') close(found.mkt.valueC, plain.mktC, 'mean kinetic temperature')
  expect(found.aboveMs, 'above').toBe(plain.aboveMs)
  expect(found.belowMs, 'below').toBe(plain.belowMs)
  expect(found.unjudgedMs, 'unjudged').toBe(plain.unjudgedMs)
  expect(found.excursions.count).toBe(plain.excursions)
  expect(found.excursions.longest?.ms ?? null).toBe(plain.longestMs)
  expect(found.excursions.shortest?.ms ?? null).toBe(plain.shortestMs)
  const shares = found.aboveMs + found.belowMs + found.withinMs + found.unjudgedMs
  expect(shares, 'shares').toBe(found.coveredMs)
  expect(found.withinMs).toBeGreaterThanOrEqual(0)
  close(found.coveragePct, lengthMs > 0 ? (plain.coveredMs / lengthMs) * 100 : null, 'coverage')
}

test('statistics from rollups are those of the raw readings to 1e-9, whatever came late and whenever limits changed', async () => {
  let excursions = 0
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const { device, of, periods } = await tell(told)
      for (const [from, to] of periods) {
        const answer = await of(from, to)
        const span = { from, to: Math.min(to, t.clock.now().getTime()) }
        if (span.to < span.from) continue
        for (const measure of ['temperature', 'humidity'] as const) {
          compare(answer[measure], await plainStats(client, device, measure, span), span.to - span.from)
          excursions += answer[measure].excursions.count
        }
      }
    }),
    { numRuns: Number(process.env.STATS_RUNS ?? 40) },
  )
  expect(excursions).toBeGreaterThan(100)
}, 600_000)
