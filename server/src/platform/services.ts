import type { Registry } from 'prom-client'
import type { Refusals } from './audit/refusals.ts'
import type { Bus } from './bus/bus.ts'
import type { Clock } from './clock/clock.ts'
import type { Config } from './config/config.ts'
import type { Client, Pool } from './db/pool.ts'
import type { FailureLimit } from './http/failure-limit.ts'
import type { Check } from './http/health.ts'
import type { Job } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import type { Mailer } from './mail/mailer.ts'

/** What the app is made of, built once at start and handed to whoever needs it. */
export interface Services {
  config: Config
  pool: Pool
  clock: Clock
  log: Log
  bus: Bus
  mailer: Mailer
  /** Secret of this installation (32 bytes), kept in DATA_DIR. */
  secret: Buffer
  /** Records who asked for what they may not. */
  refusals: Refusals
  /** Counts refused claims of hardware. */
  claimFailures: FailureLimit
  /** Where metrics are registered; names start with the feature's. */
  metrics: Registry
  /** What else `/ready` asks, by name: each listener adds itself once it listens. */
  checks: Record<string, Check>
  /** Enqueues in the transaction of `client`, which must be in the login role. */
  enqueue<P>(client: Client, job: Job<P>, payload: P): Promise<void>
}
