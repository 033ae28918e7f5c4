import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Counter, type Registry } from 'prom-client'
import { AppError } from '../errors/app-error.ts'
import type { Log } from '../log/log.ts'
import { createPool, type Pool } from './pool.ts'
import { type LogPoint, logPoint, reached } from './replica-queries.ts'
import { readingPool } from './transaction.ts'

/** A replica that is further behind is not waited for. */
const patienceMs = 200
const againMs = 5
/** After a fault the replica is left alone for so long, so that calls do not wait for it in vain. */
const restMs = 5_000

const STATEMENT_TIMEOUT = '57014'

/** A fault of the work itself, which the primary would have as well. */
const isOfTheWork = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof pg.DatabaseError && error.code === STATEMENT_TIMEOUT)

/**
 * Work that only reads, over a replica of the database. It shows all that was committed before the work began: the primary says how far its log
 * goes, and the replica must have come there, on the same timeline. Where it has not, fails or does not answer, the primary does the work.
 */
export class Replica {
  readonly #primary: Pool
  readonly #pool: Pool
  readonly #log: Log
  readonly #restMs: number
  #restsUntil = 0
  #fault: string | null = null
  readonly #counter = new Counter({
    name: 'replica_reads_total',
    help: 'Pieces of work that only read and that the replica may do, by who did them',
    labelNames: ['by'] as const,
    registers: [],
  })

  constructor(primary: Pool, url: string, size: number, log: Log, rest = restMs) {
    this.#restMs = rest
    this.#primary = primary
    this.#log = log
    this.#pool = createPool(url, size, (error) => log.warn({ err: error }, 'connection of the replica'))
  }

  /** Why the primary does all the work just now; null: the replica does its part. */
  get fault(): string | null {
    return this.#fault
  }

  measure(registry: Registry): void {
    registry.registerMetric(this.#counter)
  }

  /** Does work that only reads, given the connections for it. It may be begun twice, first over the replica and then over the primary. */
  async read<T>(work: (pool: Pool) => Promise<T>, primary: Pool = this.#primary): Promise<T> {
    if (performance.now() >= this.#restsUntil)
      try {
        const result = await work(this.#upTo(await logPoint(this.#primary)))
        this.#note(null)
        this.#counter.inc({ by: 'replica' })
        return result
      } catch (error) {
        if (isOfTheWork(error)) throw error
        this.#note(error instanceof Error ? error.message : String(error))
      }
    this.#counter.inc({ by: 'primary' })
    return work(readingPool(primary))
  }

  /**
   * The connections for work that cannot be begun twice: those of the replica if it shows what was committed until now, else the primary's. Where
   * the replica fails later, the work fails.
   */
  async choose(primary: Pool): Promise<Pool> {
    return this.read(async (pool) => {
      const client = await pool.connect()
      client.release()
      return pool
    }, primary)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #note(fault: string | null) {
    if (fault) this.#restsUntil = performance.now() + this.#restMs
    if (fault === this.#fault) return
    if (fault) this.#log.warn({ fault }, 'the replica is not read from')
    else this.#log.info('the replica is read from again')
    this.#fault = fault
  }

  /** The connections of the replica, each of which is handed out once it shows what the primary had at that point. */
  #upTo(point: LogPoint): Pool {
    return readingPool(this.#pool, async () => {
      const client = await this.#pool.connect()
      try {
        await caughtUp(client, point)
        return client
      } catch (error) {
        client.release(error instanceof Behind ? undefined : true)
        throw error
      }
    })
  }
}

class Behind extends Error {}

async function caughtUp(client: pg.PoolClient, point: LogPoint): Promise<void> {
  for (const end = performance.now() + patienceMs; ; ) {
    const { isReplica, timeline, isThere } = await reached(client, point)
    if (!isReplica) throw new Behind('REPLICA_URL leads to a database that is no replica')
    if (timeline === null) throw new Behind('the replica follows no primary')
    if (timeline !== point.timeline) throw new Behind('the replica follows a former primary')
    if (isThere) return
    if (performance.now() >= end) throw new Behind('the replica is behind')
    await sleep(againMs)
  }
}

/** Does work that only reads over the replica, where there is one, else over `pool`; see `Replica.read`. */
export const readFrom = <T>(
  { replica, pool }: { replica?: Replica | undefined; pool: Pool },
  work: (pool: Pool) => Promise<T>,
): Promise<T> => (replica ? replica.read(work, pool) : work(pool))
