import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeIngest } from '../../test/describe-app.ts'
import { setLimits } from '../../test/device-factory.ts'
import type { TestDevice } from '../../test/pipeline-harness.ts'
import { findDifferences } from '../../test/recompute.ts'

let client: pg.Client
const pipeline = describeIngest()
beforeAll(async () => {
  client = new pg.Client({ connectionString: pipeline.databaseUrl })
  await client.connect()
})
afterAll(() => client.end())

interface Sample {
  waitS: number
  temperature: number | null
  humidity: number | null
}

const sample: fc.Arbitrary<Sample> = fc.record({
  waitS: fc.oneof({ weight: 8, arbitrary: fc.constant(180) }, fc.integer({ min: 1, max: 5000 }), fc.constant(541)),
  temperature: fc.option(fc.integer({ min: 0, max: 10 }), { freq: 8 }),
  humidity: fc.option(fc.integer({ min: 30, max: 60 }), { freq: 3 }),
})

/** Readings, an order to send them in, where to cut that into messages, and which were sent twice. */
const story = fc.array(sample, { minLength: 2, maxLength: 60 }).chain((samples) =>
  fc.record({
    samples: fc.constant(samples),
    order: fc.shuffledSubarray(
      samples.map((_, index) => index),
      { minLength: samples.length, maxLength: samples.length },
    ),
    disorder: fc.constantFrom(0, 3, 10, 1000),
    cuts: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: samples.length, maxLength: samples.length }),
    limitsMove: fc.option(fc.integer({ min: 0, max: samples.length - 1 })),
    byMqtt: fc.boolean(),
  }),
)
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never

test('readings in any order and any cut make the hours and excursions that their raw rows make', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const device = await pipeline.device({ limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMaxPct: 50 } })
      const readings = inOrder(told)
      if (told.limitsMove !== null) await moveLimits(device, readings[told.limitsMove]?.at ?? '')
      const sent = told.order.map((place, position) => ({
        place,
        rank: place + ((position * 7919) % (told.disorder + 1)),
      }))
      sent.sort((a, b) => a.rank - b.rank)
      await sendAll(
        device,
        sent.map(({ place }) => readings[place]),
        told,
      )
      expect(await findDifferences(client, device)).toEqual([])
      expect(await countOf('readings', device)).toBe(readings.length)
    }),
    { numRuns: Number(process.env.PIPELINE_RUNS ?? 60) },
  )
  expect(await countOf('excursions')).toBeGreaterThan(0)
  expect(await countOf('excursions where amended_at is not null')).toBeGreaterThan(0)
}, 600_000)

function inOrder({ samples }: Story) {
  let at = Date.parse('2026-11-18T00:00:00Z')
  return samples.map(({ waitS, temperature, humidity }) => {
    at += waitS * 1000
    return {
      at: new Date(at).toISOString(),
      batteryPct: 50,
      ...(temperature === null ? {} : { temperatureC: temperature + 0.01 }),
      ...(humidity === null ? {} : { humidityPct: humidity }),
    }
  })
}

async function countOf(what: string, device?: TestDevice): Promise<number> {
  await client.query('begin; set local role pipeline')
  const where = device ? `where (company_id, device_id) = (${device.companyId}, ${device.id})` : ''
  const { rows } = await client.query(`select count(*)::int as n from ${what} ${where}`)
  await client.query('commit')
  return rows[0].n
}

const moveLimits = (device: TestDevice, from: string) =>
  setLimits(pipeline, device, { temperatureMinC: 4, temperatureMaxC: 6 }, new Date(from))

async function sendAll(device: TestDevice, readings: unknown[], { cuts, byMqtt }: Story) {
  const broker = byMqtt ? await pipeline.connect(device) : null
  for (let from = 0, cut = 0; from < readings.length; cut++) {
    const to = from + (cuts[cut] ?? 1)
    const message = { readings: readings.slice(Math.max(0, from - 1), to) }
    if (broker) await broker.publishAsync(`devices/${device.imei}/readings`, JSON.stringify(message), { qos: 1 })
    else expect(await pipeline.post(device, message)).toMatchObject({ status: 200, answer: { rejected: [] } })
    from = to
  }
  broker?.end(true)
}
