import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase, type Method } from '@isotherm/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import type { QueryResultRow } from 'pg'
import { createApp, jobs } from '../src/app.ts'
import { people } from '../src/core/people/people.ts'
import { Refusals } from '../src/platform/audit/refusals.ts'
import { SignedLedger } from '../src/platform/audit/signed-ledger.ts'
import { localBus } from '../src/platform/bus/bus.ts'
import { type Config, loadConfig } from '../src/platform/config/config.ts'
import { quotaNames } from '../src/platform/config/quotas.ts'
import { installationSecret } from '../src/platform/config/secret.ts'
import { createPool, type Pool } from '../src/platform/db/pool.ts'
import { Shares } from '../src/platform/db/shares.ts'
import { asPipeline } from '../src/platform/db/transaction.ts'
import { DiskWatch } from '../src/platform/files/free-disk.ts'
import { Buckets } from '../src/platform/http/buckets.ts'
import { DeniedObjects } from '../src/platform/http/denied-objects.ts'
import { FailureLimit } from '../src/platform/http/failure-limit.ts'
import { createMetrics } from '../src/platform/http/metrics.ts'
import { StrangersBodies } from '../src/platform/http/strangers-bodies.ts'
import { insurerOf } from '../src/platform/insurers/insurers.ts'
import { createLog } from '../src/platform/log/log.ts'
import { Pace } from '../src/platform/loop/pace.ts'
import type { Mail } from '../src/platform/mail/mailer.ts'
import { paymentProviders } from '../src/platform/payments/providers.ts'
import type { Services } from '../src/platform/services.ts'
import { changing } from './changed.ts'
import { withCode } from './claim-codes.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { formOf, formType, hasFile } from './form.ts'
import type { TestPipeline } from './test-pipeline.ts'
import { waitingJobs } from './waiting-jobs.ts'

/** Stands still until a test moves it. */
export interface TestClock {
  now(): Date
  set(to: Date): void
  advance(ms: number): void
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  /** The parsed JSON, or the text where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface Request {
  token?: string
  body?: unknown
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Where the request comes from; default: loopback. */
  address?: string
}

export interface TestApp {
  app: FastifyInstance
  services: Services
  clock: TestClock
  /** As the server logs in: without a role it reads and changes no row of a tenant's table. */
  pool: Pool
  /** Rows of every company, as the pipeline's role sees them. */
  rows<T extends QueryResultRow = QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>
  /** Changes rows as a company's own people would. */
  change(companyId: number, sql: string, values?: unknown[]): Promise<void>
  /** Runs every waiting job, and those they enqueue. */
  runJobs(): Promise<void>
  /** Every mail sent so far, oldest first, waiting jobs included. */
  mails(): Promise<Mail[]>
  /** One request; `path` is below /app/api/v1. Hardware is claimed with the code on its label, unless the body names one. */
  call(method: Method, path: string, request?: Request): Promise<Answer>
  /** Where the test runs one. */
  pipeline?: TestPipeline
  close(): Promise<void>
}

// Tests move the clock by months; those about sessions give their own.
const endless = { idleMs: 3_650 * 86_400_000, absoluteMs: 3_650 * 86_400_000, absoluteAdminMs: 3_650 * 86_400_000 }
const generous = { perAccount: 1e6, perAddress: 1e6, windowS: 60 }
const bucket = { burst: 1e9, perMinute: 1e9 }
const unbounded = { person: bucket, company: bucket }
const quota = { licensed: 1e6, unlicensed: 1e6 }
/** No test meets a quota that does not bring its own. */
const noQuotas = {
  quotas: Object.fromEntries(quotaNames.map((name) => [name, quota])) as Config['quotas'],
  callRates: { writes: unbounded, exports: unbounded },
  keyRates: { calls: unbounded, heavy: unbounded },
  reportsWaiting: { person: 1_000, company: 1_000 },
}

/** The whole server on a database of its own, without sockets: mail, jobs and time are in the test's hands. */
export async function startTestApp(overrides: Partial<Config> = {}, own?: TestDatabase): Promise<TestApp> {
  const database = own ?? (await testDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-app-'))
  const pool = createPool(database.url, 8, () => {})
  const sent: Mail[] = []
  const clock = testClock()
  const waiting = await waitingJobs(pool, jobs)
  const rateLimits = {
    ...{ login: generous, mail: generous, invite: generous },
    ...{ token: generous, password: generous, signature: generous, licence: generous, share: generous },
    ...{ money: generous, support: generous, replay: generous, sso: generous, secondFactor: generous },
  }
  const config: Config = {
    ...loadConfig({ DATA_DIR: dataDir, CHECK_ANSWERS: '1', OVERLOAD_DELAY_MS: '0' }),
    rateLimits,
    claimFailures: { perAccount: 1e6, perCompany: 1e6, windowS: 60 },
    sessions: endless,
    ...noQuotas,
    ...overrides,
  }
  const log = createLog(process.env.TEST_LOG ?? 'silent')
  const metrics = createMetrics({ ofProcess: false })
  const services: Services = {
    config,
    pool,
    clock,
    log,
    bus: localBus(),
    mailer: { send: async (mail) => void sent.push(mail) },
    payments: await paymentProviders(config.payments, clock),
    insurer: insurerOf(config.insurer, clock),
    secret: await installationSecret(dataDir),
    ledger: new SignedLedger(dataDir),
    refusals: new Refusals(pool),
    people,
    claimFailures: new FailureLimit(config.claimFailures),
    orderCodeFailures: new FailureLimit(config.orderCodeFailures),
    orderLinkMisses: new FailureLimit(config.linkMisses),
    shipmentLinkMisses: new FailureLimit(config.linkMisses),
    lowPool: pool,
    // However busy the machine is, calls that a test makes at once wait for their turn: that some are BUSY has tests of its own.
    shares: new Shares(6, { waitMs: 120_000 }),
    pace: new Pace(),
    strangersBodies: new StrangersBodies(),
    buckets: new Buckets(),
    disk: new DiskWatch({ minFreeDisk: { share: 0, bytes: 1e9 } }, log, async () => ({ free: 1e12, total: 1e12 })),
    deniedObjects: new DeniedObjects(log, metrics),
    metrics,
    checks: {},
    resolveTxt: async () => [],
    enqueue: waiting.enqueue,
  }
  const app = await createApp(services)
  await app.ready()
  const runJobs = () => waiting.run(services)
  return {
    app,
    services,
    clock,
    pool,
    rows: <T extends QueryResultRow>(sql: string, values: unknown[] = []) =>
      asPipeline(pool, async ({ client }) => (await client.query<T>(sql, values)).rows),
    async change(companyId, sql, values = []) {
      await changing(pool, companyId, ({ client }) => client.query(sql, values))
    },
    runJobs,
    async mails() {
      await runJobs()
      return sent
    },
    call: (method, path, request = {}) => call(app, method, path, request),
    async close() {
      await app.close()
      await pool.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function call(app: FastifyInstance, method: Method, path: string, request: Request): Promise<Answer> {
  const body = request.body === undefined ? undefined : withCode(method, path, request.body)
  const isForm = hasFile(body)
  const answer = await app.inject({
    method,
    url: `${apiBase}${path}`,
    headers: {
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...(isForm ? { 'content-type': formType } : {}),
      ...request.headers,
    },
    ...(request.address ? { remoteAddress: request.address } : {}),
    ...(request.query ? { query: request.query } : {}),
    ...(body === undefined ? {} : { payload: isForm ? formOf(body) : (body as object) }),
  })
  const json = String(answer.headers['content-type']).startsWith('application/json')
  return { status: answer.statusCode, headers: answer.headers, body: json ? answer.json() : answer.body }
}

function testClock(): TestClock {
  let now = Date.now()
  return {
    now: () => new Date(now),
    set: (to) => {
      now = to.getTime()
    },
    advance: (ms) => {
      now += ms
    },
  }
}
