import type { Registry } from 'prom-client'
import type { Refusals } from './audit/refusals.ts'
import type { SignedLedger } from './audit/signed-ledger.ts'
import type { People } from './auth/people.ts'
import type { Bus } from './bus/bus.ts'
import type { Clock } from './clock/clock.ts'
import type { Config } from './config/config.ts'
import type { Client, Pool } from './db/pool.ts'
import type { Shares } from './db/shares.ts'
import type { DiskWatch } from './files/free-disk.ts'
import type { Buckets } from './http/buckets.ts'
import type { DeniedObjects } from './http/denied-objects.ts'
import type { FailureLimit } from './http/failure-limit.ts'
import type { Check } from './http/health.ts'
import type { Job } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import type { Pace } from './loop/pace.ts'
import type { Mailer } from './mail/mailer.ts'

/** The services of the app, built once at start and handed to the code that needs them. */
export interface Services {
  config: Config
  pool: Pool
  clock: Clock
  log: Log
  bus: Bus
  mailer: Mailer
  /** Secret of this installation (32 bytes), kept in DATA_DIR. */
  secret: Buffer
  /** The signatures of audit trails, kept in DATA_DIR. */
  ledger: SignedLedger
  /** Finds the callers and their companies. */
  people: People
  /** Records who asked for what they may not. */
  refusals: Refusals
  /** How many connections a company's calls may have at once. */
  shares: Shares
  /** Spaces out the long bodies of a company. */
  pace: Pace
  /** Counts the calls of people that write or export. */
  buckets: Buckets
  /** Tells whether the disk has room for something large. */
  disk: DiskWatch
  /** Traces who asked for objects that do not exist for them. */
  deniedObjects: DeniedObjects
  /** Counts refused claims of hardware. */
  claimFailures: FailureLimit
  /** Where metrics are registered; names start with the feature's. */
  metrics: Registry
  /** Further checks of `/ready`, by name: each listener adds itself once it listens. */
  checks: Record<string, Check>
  /** Enqueues in the transaction of `client`, which must be in the login role. */
  enqueue<P>(client: Client, job: Job<P>, payload: P): Promise<void>
}
