import { fleet } from '@isotherm/simulator/fleet.ts'
import { runLive } from '@isotherm/simulator/live.ts'
import type { TrackerSpec } from '@isotherm/simulator/spec.ts'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkOf } from '../../../../simulator/src/link.ts'
import { changing } from '../../../test/changed.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'
import { ingestByHttp } from '../../pipeline/ingest/http.ts'
import { ingestByMqtt, type MqttIngest } from '../../pipeline/ingest/mqtt.ts'
import { Pipeline } from '../../pipeline/pipeline.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { createServer } from '../../platform/http/server.ts'
import { startFlights } from './jobs.ts'

// The simulator's trackers against the real broker and the real HTTP ingest, ten minutes of theirs in a second.

const hour = 3_600_000
const secretOf = (imei: string) => `the-secret-of-${imei}-long-enough`
let t: TestApp
let pipeline: Pipeline
let broker: MqttIngest
let baseUrl: string
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  t = await startTestApp()
  const databaseUrl = String(t.pool.options.connectionString)
  pipeline = new Pipeline({ ...t.services, databaseUrl, window: { maxAgeMonths: 24, maxAheadHours: 24 } })
  await pipeline.start()
  const app = await createServer({ ...t.services, metrics: createMetrics({ ofProcess: false }) })
  await ingestByHttp(app, pipeline)
  baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  broker = await ingestByMqtt(pipeline, databaseUrl, '127.0.0.1', 0, {
    all: 1_000,
    perAddress: 100,
    isBehindProxy: false,
  })
  stops.push(
    () => app.close(),
    () => broker.close(),
    () => pipeline.stop(),
    () => t.close(),
  )
})
afterAll(async () => {
  for (const stop of stops) await stop()
})

/** The next time at which a tracker has a network for a day. */
function connectedDay(spec: TrackerSpec): Date {
  const link = linkOf(spec)
  for (let at = Date.UTC(2026, 9, 3) / 1000; ; at += 3600)
    if (Array.from({ length: 288 }, (_, i) => at + i * 300).every((moment) => !link.outageAt(moment)))
      return new Date(at * 1000)
}

const named = (part: string) => {
  const spec = fleet('demo').find(({ name }) => name.includes(part))
  if (!spec) throw new Error(`no tracker ${part}`)
  return spec
}

describe.each([
  ['mqtt', named('Ikeja')],
  ['http', named('Yaba')],
] as const)('a tracker that speaks %s', (link, spec) => {
  const stop = new AbortController()
  let running: Promise<void>
  let token: string
  let id: string

  const read = async () => (await t.call('GET', `/devices/${id}`, { token })).body.payload
  const standsAt = () =>
    expect.poll(
      async () => {
        const { status, intervalS, waiting } = await read()
        return [status, intervalS, waiting.length]
      },
      { timeout: 30_000 },
    )
  const count = () =>
    asPipeline(t.pool, async ({ client }) => {
      const { rows } = await client.query('select count(*)::int as n from readings where device_id = $1', [id])
      return rows[0].n as number
    })

  beforeAll(async () => {
    expect(spec.link).toBe(link)
    const startAt = connectedDay(spec)
    // The tracker's measurements are never of the future.
    t.clock.set(new Date(startAt.getTime() + 20 * hour))
    const admin = await buildUser(t)
    token = admin.token
    await buildHardware(t, { imei: spec.imei, secret: secretOf(spec.imei) })
    const body = { imei: spec.imei, licenceKey: await buildKey(t), name: spec.name }
    id = (await t.call('POST', '/devices/setup', { token, body })).body.payload.id
    await changing(t.pool, admin.companyId, ({ client }) =>
      client.query('update assignments set valid_from = $2 where imei = $1', [spec.imei, startAt]),
    )
    running = runLive({
      baseUrl,
      mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
      secretOf,
      fleet: [spec],
      signal: stop.signal,
      timeScale: 600,
      startAt,
      since: startAt,
    })
  })
  afterAll(async () => {
    stop.abort()
    await running
  })

  test('takes the interval it is told', async () => {
    await t.call('PATCH', `/devices/${id}`, { token, body: { intervalS: 900 } })
    await standsAt().toEqual([expect.any(String), 900, 0])
  })

  test('stops sending in flight mode, direct and by flight, and sends again after', async () => {
    const direct = (state: string) => t.call('PATCH', `/devices/${id}/flight-mode-direct`, { token, body: { state } })
    await direct('on')
    await standsAt().toEqual(['flightMode', 900, 0])
    const kept = await count()
    await direct('off')
    await standsAt().toEqual([expect.not.stringContaining('flightMode'), 900, 0])
    await expect.poll(count).toBeGreaterThan(kept)
    const departure = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const flight = { carrierCode: 'ET', flightNumber: '904', scheduledDepartureDate: departure }
    await t.call('PATCH', `/devices/${id}/flight-mode`, { token, body: flight })
    t.clock.advance(60_000)
    await startFlights.run(t.services, {})
    await standsAt().toEqual(['flightMode', 900, 0])
    await direct('off')
    await standsAt().toEqual([expect.not.stringContaining('flightMode'), 900, 0])
  })

  test('pauses and starts', async () => {
    const transmit = (transmission: string) => t.call('PATCH', `/devices/${id}`, { token, body: { transmission } })
    await transmit('paused')
    await standsAt().toEqual(['paused', 900, 0])
    await transmit('started')
    await standsAt().toEqual([expect.not.stringContaining('paused'), 900, 0])
  })

  test('switches itself off, and on again while it still listens', async () => {
    const power = (state: string) => t.call('PUT', '/power', { token, body: { imei: spec.imei, state } })
    await power('off')
    await standsAt().toEqual(['off', 900, 0])
    const kept = await count()
    await power('on')
    await standsAt().toEqual([expect.not.stringMatching(/^off$/), 900, 0])
    await expect.poll(count).toBeGreaterThan(kept)
  })
})

test('after a swap the new hardware hears at once its commands, and the old one that there are none any more', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { ...admin, intervalS: 300 })
  const fresh = await buildHardware(t)
  /** Connects, and collects the lists of commands as they come. */
  const listen = async ({ imei, secret }: { imei: string; secret: string }) => {
    const heard: unknown[][] = []
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { username: imei, password: secret })
    stops.unshift(() => client.endAsync(true))
    client.on('message', (_topic, payload) => {
      const { commands } = JSON.parse(payload.toString()) as { commands: { kind: string; value: unknown }[] }
      heard.push(commands.map(({ kind, value }) => [kind, value]))
    })
    await client.subscribeAsync(`devices/${imei}/commands`, { qos: 1 })
    return heard
  }
  const [before, after] = [await listen(device), await listen(fresh)]
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { transmission: 'paused' } })
  const pause = [['transmission', { state: 'paused' }]]
  await expect.poll(() => before.at(-1)).toEqual(pause)
  await t.call('POST', `/devices/${device.id}/swap`, { token: admin.token, body: { newImei: fresh.imei } })
  const requested = [
    ['interval', { intervalS: 300 }],
    ['transmission', { state: 'paused' }],
  ]
  await expect.poll(() => after.at(-1)).toEqual(requested)
  await expect.poll(() => before.at(-1)).toEqual([])
})
