import pg from 'pg'
import type { Log } from '../platform/log/log.ts'

// With the lane's number: what a server holds while its writers write a lane. `core/reading-arrivals` tells lanes by them.
const locks = [4_919, 4_920]

interface Options {
  databaseUrl: string
  log: Log
  /** The connections are made anew: what was remembered of the database may be wrong. */
  connected(): void
  lost(): void
}

/**
 * The connections of a lane, one per writer. Statements are sent without waiting for the answers of those before. A server writes a lane
 * while it holds an advisory lock by each of them, so a killed server's last transactions have ended before its successor reads any state.
 * When one is lost, the others end.
 */
export class LaneConnections {
  readonly #lane: number
  readonly #options: Options
  #clients: pg.Client[] | null = null
  #connecting: Promise<void> | null = null

  constructor(lane: number, options: Options) {
    this.#lane = lane
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#clients !== null
  }

  /** The connection of a writer, waiting until the lane is free. */
  async client(writer: number): Promise<pg.Client> {
    if (!this.#clients) {
      this.#connecting ??= this.#connect()
      await this.#connecting
    }
    const client = this.#clients?.[writer]
    if (!client) throw new Error('the lane lost its connections')
    return client
  }

  has(client: pg.Client): boolean {
    return this.#clients?.includes(client) ?? false
  }

  /** Ends these connections, where the lane still has them: they may be broken without having said so. */
  drop(client: pg.Client): void {
    if (!this.has(client)) return
    const clients = this.#clients ?? []
    this.#clients = null
    for (const one of clients) one.end().catch(() => {})
  }

  async end(): Promise<void> {
    const clients = this.#clients ?? []
    this.#clients = null
    await Promise.all(clients.map((client) => client.end()))
  }

  async #connect(): Promise<void> {
    const clients: pg.Client[] = []
    try {
      // One after the other, so that two servers never hold one lock each.
      for (const lock of locks) clients.push(await this.#open(lock))
      this.#options.connected()
      this.#clients = clients
    } catch (error) {
      for (const client of clients) client.end().catch(() => {})
      throw error
    } finally {
      this.#connecting = null
    }
  }

  async #open(lock: number): Promise<pg.Client> {
    const { databaseUrl, log } = this.#options
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: `isotherm lane ${this.#lane}`,
      options: '-c plan_cache_mode=force_generic_plan -c synchronous_commit=on -c timezone=UTC',
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    const onLost = (error: Error) => {
      if (!this.has(client)) return
      log.warn({ err: error, lane: this.#lane }, 'a lane lost its connections')
      this.drop(client)
      this.#options.lost()
    }
    client.on('error', onLost)
    client.on('end', () => onLost(new Error('the database closed the connection')))
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as free', [lock, this.#lane])
    if (rows[0]?.free) return client
    log.warn({ lane: this.#lane }, 'another server still writes this lane: waiting until it has stopped')
    await client.query('select pg_advisory_lock($1, $2)', [lock, this.#lane])
    return client
  }
}

/** Waits for all, then throws the first failure: nothing of a transaction may still be running when it is given up. */
export async function awaitAll<T extends readonly unknown[]>(...work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const settled = await Promise.allSettled(work)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T
}
