import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@isotherm/contract/call.ts'
import type { IngestAnswer } from '@isotherm/contract/ingest.ts'
import type { FastifyInstance } from 'fastify'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { insertCompany } from '../src/core/company/company-queries.ts'
import { ingestByHttp } from '../src/pipeline/ingest/http.ts'
import { ingestByMqtt } from '../src/pipeline/ingest/mqtt.ts'
import { Pipeline, type PipelineOptions } from '../src/pipeline/pipeline.ts'
import { type BusEvent, localBus } from '../src/platform/bus/bus.ts'
import { loadConfig } from '../src/platform/config/config.ts'
import { createPool, type Pool } from '../src/platform/db/pool.ts'
import { asLogin, asPipeline } from '../src/platform/db/transaction.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { createServer } from '../src/platform/http/server.ts'
import { createLog } from '../src/platform/log/log.ts'
import type { Services } from '../src/platform/services.ts'
import { changing, noteAll } from './changed.ts'
import { testDatabase } from './database.ts'

/** A tracker in the provider's stock, with the secret it proves itself by. */
export interface TestTracker {
  imei: string
  secret: string
}

/** A company's device on that tracker. */
export interface TestDevice extends TestTracker {
  companyId: number
  id: number
}

export interface DeviceSpec {
  companyId?: number
  tracker?: TestTracker
  probe?: number
  intervalS?: number
  temperature?: [min: number | null, max: number | null]
  humidity?: [min: number | null, max: number | null]
  from?: string
}

export interface Sent {
  status: number
  headers: Record<string, unknown>
  answer: IngestAnswer
}

let serial = Date.now() % 1e9

/** The pipeline with both its ingests on a database and ports of its own. */
export async function startTestPipeline(overrides: Partial<PipelineOptions> = {}) {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-pipeline-'))
  const pool = createPool(database.url, 6, () => {})
  const bus = localBus()
  const clock = movableClock()
  const log = createLog(process.env.TEST_LOG ?? 'silent')
  const services = {
    config: loadConfig({ DATA_DIR: dataDir }),
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
    company: () => newCompany(pool),
    tracker: () => newTracker(pool),
    device: (spec: DeviceSpec = {}) => newDevice(pool, spec),
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

async function newCompany(pool: Pool): Promise<number> {
  const made = await asLogin(pool, ({ tx }) => insertCompany(tx, { name: 'Cold & Co' }))
  return made.company_id
}

async function newTracker(pool: Pool): Promise<TestTracker> {
  const imei = String(350_000_000_000_000 + serial++)
  const secret = randomBytes(24).toString('base64url')
  await pool.query('insert into hardware (imei, type, probes, secret_hash) values ($1, $2, 4, $3)', [
    imei,
    'test',
    createHash('sha256').update(secret).digest(),
  ])
  return { imei, secret }
}

async function newDevice(pool: Pool, spec: DeviceSpec): Promise<TestDevice> {
  const companyId = spec.companyId ?? (await newCompany(pool))
  const tracker = spec.tracker ?? (await newTracker(pool))
  const [low, high] = spec.temperature ?? [2, 8]
  const [dry, wet] = spec.humidity ?? [null, null]
  const centi = (value: number | null) => (value === null ? null : Math.round(value * 100))
  const from = spec.from ?? '2020-01-01T00:00:00Z'
  const client = await pool.connect()
  try {
    await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
    const { rows } = await client.query(
      `insert into devices (company_id, name, type, interval_s) values ($1, 'Fridge', 'test', $2) returning id`,
      [companyId, spec.intervalS ?? 180],
    )
    const id: number = rows[0].id
    await client.query(
      'insert into assignments (company_id, device_id, imei, probe, valid_from) values ($1, $2, $3, $4, $5)',
      [companyId, id, tracker.imei, spec.probe ?? 1, from],
    )
    await client.query(
      `insert into device_limits (company_id, device_id, valid_from, temperature_min_centi, temperature_max_centi,
         humidity_min_centi, humidity_max_centi) values ($1, $2, $3, $4, $5, $6, $7)`,
      [companyId, id, from, centi(low), centi(high), centi(dry), centi(wet)],
    )
    await noteAll(client, companyId)
    await client.query('commit')
    return { ...tracker, companyId, id }
  } finally {
    client.release()
  }
}
