import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@isotherm/contract/call.ts'
import { limitPresets } from '@isotherm/contract/device-limits.ts'
import type { IngestAnswer } from '@isotherm/contract/ingest.ts'
import type { FastifyInstance } from 'fastify'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { ingestByHttp } from '../src/pipeline/ingest/http.ts'
import { ingestByMqtt } from '../src/pipeline/ingest/mqtt.ts'
import { Pipeline, type PipelineOptions } from '../src/pipeline/pipeline.ts'
import { type BusEvent, localBus } from '../src/platform/bus/bus.ts'
import { loadConfig } from '../src/platform/config/config.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { asPipeline } from '../src/platform/db/transaction.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { createServer } from '../src/platform/http/server.ts'
import { createLog } from '../src/platform/log/log.ts'
import type { Services } from '../src/platform/services.ts'
import { changing } from './changed.ts'
import { testDatabase } from './database.ts'
import { aDevice, type DeviceSpec } from './device-factory.ts'
import { buildCompany } from './factories.ts'
import { buildHardware } from './stock.ts'
import type { TestTracker } from './test-pipeline.ts'

/** A company's device on that tracker. */
export interface TestDevice extends TestTracker {
  companyId: number
  id: number
}

export interface Sent {
  status: number
  headers: Record<string, unknown>
  answer: IngestAnswer
}

const usual: DeviceSpec = {
  name: 'Fridge',
  intervalS: 180,
  validFrom: new Date('2020-01-01T00:00:00Z'),
  limits: limitPresets.refrigerated,
}

/** The pipeline with both its ingests on a database and ports of its own. */
export async function startTestPipeline(overrides: Partial<PipelineOptions> = {}) {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-pipeline-'))
  const pool = createPool(database.url, 6, () => {})
  const bus = localBus()
  const clock = movableClock()
  const log = createLog(process.env.TEST_LOG ?? 'silent')
  const services = {
    // A machine that does other work makes the event loop late: no reading of a test is refused for that.
    config: loadConfig({ DATA_DIR: dataDir, OVERLOAD_DELAY_MS: '0' }),
    pool,
    clock,
    log,
    bus,
    metrics: createMetrics({ ofProcess: false }),
    checks: {},
  } as unknown as Services
  const options: PipelineOptions = {
    databaseUrl: database.url,
    pool,
    bus,
    clock,
    log,
    metrics: services.metrics,
    window: { maxAgeMonths: 24, maxAheadHours: 24 },
    // Tests set the clock: a sweep by itself would find the time of the test before.
    sweepsByItself: false,
    ...overrides,
  }
  const pipeline = new Pipeline(options)
  await pipeline.start()
  const app = await createServer(services)
  await ingestByHttp(app, pipeline)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const broker = await ingestByMqtt(pipeline, database.url, '127.0.0.1', 0, {
    all: 1_000,
    perAddress: 100,
    isBehindProxy: false,
  })
  const clients: MqttClient[] = []
  /** Rows as the pipeline's role sees them. */
  const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
    asPipeline(pool, async ({ client }) => (await client.query<T>(sql, values)).rows)
  return {
    pipeline,
    pool,
    bus,
    clock,
    url,
    app,
    databaseUrl: database.url,
    /** Those of the pipeline, for another one on the same database. */
    options,
    metrics: () => createMetrics({ ofProcess: false }),
    mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
    closeSpread: broker.closeSpread,
    company: async () => (await buildCompany({ pool, clock }, { name: 'Cold & Co' })).companyId,
    tracker: () => buildHardware({ pool }, { probes: 4 }),
    /** A fridge of 2 to 8 °C since 2020, unless told otherwise. */
    device: (spec: DeviceSpec = {}): Promise<TestDevice> => aDevice({ pool, clock }, { ...usual, ...spec }),
    post: (device: TestTracker, body: unknown, headers: Record<string, string> = {}) =>
      post(app, device, body, headers),
    async connect(device: TestTracker, options: Partial<IClientOptions> = {}): Promise<MqttClient> {
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
        username: device.imei,
        password: device.secret,
        reconnectPeriod: 0,
        ...options,
      })
      clients.push(client)
      return client
    },
    rows,
    /** The stored readings of a device, in the order of its own clock. */
    readingsOf: (device: TestDevice) =>
      rows<{ at: Date; temperature_centi: number }>(
        'select measured_at as at, temperature_centi, extra, light_lux from readings where (company_id, device_id) = ($1, $2) order by measured_at',
        [device.companyId, device.id],
      ),
    /** The rejected readings of a tracker. */
    rejectedOf: (device: { imei: string }) =>
      rows<{ code: string; payload: Buffer; company_id: number | null; protocol: string }>(
        'select code, reason, payload, company_id, device_id, measured_at, protocol from ingest_rejected where imei = $1 order by id',
        [device.imei],
      ),
    /** Changes rows as a company's own people would. */
    async change(companyId: number, sql: string, values: unknown[] = []): Promise<void> {
      await changing(pool, companyId, ({ client }) => client.query(sql, values))
    },
    /** Everything published for a company from now on. */
    listen(companyId: number): BusEvent[] {
      const events: BusEvent[] = []
      bus.subscribe(companyId, (event) => void events.push({ ...event, data: structuredClone(event.data) }))
      return events
    },
    async close() {
      for (const client of clients) client.end(true)
      await app.close()
      await broker.close()
      await pipeline.stop()
      await pool.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestPipeline = Awaited<ReturnType<typeof startTestPipeline>>

async function post(
  app: FastifyInstance,
  device: TestTracker,
  body: unknown,
  headers: Record<string, string>,
): Promise<Sent> {
  const answer = await app.inject({
    method: 'POST',
    url: `${apiBase}/ingest/${device.imei}`,
    headers: { authorization: `Bearer ${device.secret}`, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  const parsed = answer.json()
  return { status: answer.statusCode, headers: answer.headers, answer: parsed.payload ?? parsed }
}

function movableClock() {
  let now = Date.parse('2026-11-20T12:00:00Z')
  return {
    now: () => new Date(now),
    set: (to: string) => {
      now = Date.parse(to)
    },
    advance: (ms: number) => {
      now += ms
    },
  }
}
