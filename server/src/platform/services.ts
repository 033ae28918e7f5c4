import type { Registry } from 'prom-client'
import type { z } from 'zod'
import type { LedgerComparison } from './audit/compare-ledgers.ts'
import type { Refusals } from './audit/refusals.ts'
import type { SignedLedger } from './audit/signed-ledger.ts'
import type { People } from './auth/people.ts'
import type { BackupState } from './backup/backup-state.ts'
import type { Bus } from './bus/bus.ts'
import type { NatsLink } from './bus/nats-link.ts'
import type { Clock } from './clock/clock.ts'
import type { DatabaseClock } from './clock/database-clock.ts'
import type { DrainListener } from './cluster/cluster.ts'
import type { OwnQueues } from './cluster/node-queries.ts'
import type { FindAsset } from './cluster/share-assets.ts'
import type { Config } from './config/config.ts'
import type { Client, Pool } from './db/pool.ts'
import type { Replica } from './db/replica.ts'
import type { Shares } from './db/shares.ts'
import type { StandbyWatch } from './db/standby-watch.ts'
import type { DiskWatch } from './files/free-disk.ts'
import type { Buckets } from './http/buckets.ts'
import type { DeniedObjects } from './http/denied-objects.ts'
import type { FailureLimit } from './http/failure-limit.ts'
import type { LimitStore } from './http/limit-store.ts'
import type { StrangersBodies } from './http/strangers-bodies.ts'
import type { Insurer } from './insurers/insurer.ts'
import type { Log } from './log/log.ts'
import type { Pace } from './loop/pace.ts'
import type { Mailer } from './mail/mailer.ts'
import type { PaymentProviders } from './payments/providers.ts'

/** The services of the app, built once at start and handed to the code that needs them. */
export interface Services {
  config: Config
  pool: Pool
  /** For the calls of a company that keeps the database busy, and only read: its connections give way to others. */
  lowPool: Pool
  /** Reads charts, reports and exports; unset: the operator names no replica. */
  replica?: Replica | undefined
  clock: Clock
  /** The same clock where it is that of a PostgreSQL of one's own; unset: the embedded one runs on this machine. */
  databaseClock?: DatabaseClock | undefined
  log: Log
  bus: Bus
  /** Takes events to the other nodes; null or unset: none is configured. */
  nats?: NatsLink | null
  mailer: Mailer
  /** Move money; where nothing is configured there is none. */
  payments: PaymentProviders
  /** Insures orders; null: nobody is asked. */
  insurer: Insurer | null
  /** Secret of this installation (32 bytes), kept in DATA_DIR. */
  secret: Buffer
  /** The signatures of audit trails, kept in DATA_DIR. */
  ledger: SignedLedger
  /** Compares that with what other nodes signed; unset: there are none. */
  ledgers?: LedgerComparison
  /** Finds the callers and their companies. */
  people: People
  /** Records who asked for what they may not. */
  refusals: Refusals
  /** How many connections a company's calls may have at once. */
  shares: Shares
  /** Spaces out the long bodies of a company. */
  pace: Pace
  /** Bounds the long bodies of people without a login. */
  strangersBodies: StrangersBodies
  /** Counts the calls of people that write or export. */
  buckets: Buckets
  /** Tells whether a synchronous standby follows the database; unset: it is the embedded one. */
  standbys?: StandbyWatch
  /** Tells whether the disk has room for something large. */
  disk: DiskWatch
  /** Traces who asked for objects that do not exist for them. */
  deniedObjects: DeniedObjects
  /** Counts refused claims of hardware. */
  claimFailures: FailureLimit
  /** Counts wrong tracking codes. */
  orderCodeFailures: FailureLimit
  /** Count tokens of order pages and of shipments that lead nowhere. */
  orderLinkMisses: FailureLimit
  shipmentLinkMisses: FailureLimit
  /** Where metrics are registered; names start with the feature's. */
  metrics: Registry
  /** The backup that this server keeps; unset: none is configured. */
  backup?: BackupState
  /** Further checks of `/ready`, by name: each listener adds itself once it listens. */
  checks: Record<string, Check>
  /**
   * Takes in what a tracker of our own says, by the path of every reading; resolves once it is committed, with false where it was not
   * taken. `clock`: what counts as now for it, in a sandbox. Unset until the pipeline runs.
   */
  takeIn?: (imei: string, message: object, clock?: Date) => Promise<boolean>
  /** A sentence for each node that this one does not reach; unset: there are none. */
  peerFaults?: () => string[]
  /** The queues in this server's memory. Unset until the pipeline runs. */
  queues?: () => OwnQueues
  /** Has the alarms of a sandbox judged by its clock. Unset until the pipeline runs. */
  sweepSandbox?: (companyId: number) => Promise<void>
  /** Finds a file of the browser app that other nodes have; unset: there are none. */
  findAsset?: FindAsset
  /** Has the other nodes hear of what a limit counts, by `now`, and the other way round; unset: there are none. */
  shareLimit?: (name: string, counters: LimitStore, now?: () => number) => void
  /** Hears when this server leaves the others, so that long connections end one by one; unset: there are no others. */
  onDrain?: (listener: DrainListener) => void
  /** Asks for the DNS records (TXT) of a domain; unset: the machine's resolver is asked. */
  resolveTxt?: (domain: string) => Promise<string[][]>
  /** Enqueues in the transaction of `client`, which must be in the login role. */
  enqueue<P>(client: Client, job: Job<P>, payload: P): Promise<void>
}

/** Something without which the server should get no traffic. */
export type Check = () => boolean | Promise<boolean>

/** A unit of work that survives a restart. `run` must be idempotent: it may be delivered more than once. */
export interface Job<P> {
  name: string
  payload: z.ZodType<P>
  retryLimit: number
  /** Five-field cron in UTC, for jobs that run by themselves (their payload is `{}`). */
  cron?: string
  /**
   * The owner who takes turns with others in this queue; default: the payload's `companyId`. For an owner who has jobs waiting already
   * the next one comes after those of others.
   */
  turnOf?(payload: P): string | undefined
  /** Whether it goes behind all others in its queue, whoever asked for it. */
  isLast?(payload: P): boolean
  /** Jobs of one key run at most once in `everyS` seconds: of those asked for meanwhile one runs afterwards. */
  atMost?: { keyOf(payload: P): string; everyS: number }
  /** Jobs that are fetched together, for short ones of which many may wait; default 1. */
  batch?: number
  /** Jobs that run at once, of different turns; default 1. */
  concurrency?: number
  /** Seconds after which a job whose server is no longer heard of is tried again, a minute later at most; default: 15 minutes after it began. */
  heartbeatS?: number
  run(services: Services, payload: P): Promise<void>
}
