import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionOf } from '../platform/db/connection.ts'
import { gatherWrites } from '../platform/db/gather-writes.ts'
import type { Log } from '../platform/log/log.ts'

// With the lane's number: what a server holds while its writers write a lane. `core/reading-arrivals` tells lanes by them.
const locks = [4_919, 4_920]
const againMs = 100
/** So long a connection may take to end by itself. */
const endWithinMs = 2_000

interface Options {
  databaseUrl: string
  log: Log
  /** The node that holds the lane, by which others know its connections; unset: the only one. */
  nodeId: string | undefined
  /** Whether this server may hold a lane now. */
  mayHold(): boolean
  /** Throws where this server may not write the lane; asked by a connection that holds it. */
  demand?(client: pg.Client): Promise<void>
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
  /** Connections that ended while others of the lane were still being made. */
  readonly #lost = new WeakSet<pg.Client>()
  #isOver = false
  /** Goes up with each end: what is being made for an earlier one is not wanted any more. */
  #round = 0

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
      this.#demand(this.#round)
      this.#connecting ??= this.#connect(this.#round)
      await this.#connecting
    }
    const client = this.#clients?.[writer]
    if (!client) throw new Error('the lane lost its connections')
    return client
  }

  has(client: pg.Client): boolean {
    return this.#clients?.includes(client) ?? false
  }

  /** Waits no longer for a lane that another server holds, and never connects again. */
  giveUp(): void {
    this.#isOver = true
  }

  /** Ends the connections: whoever waits for the lane gets it. */
  suspend(): void {
    const [client] = this.#clients ?? []
    if (client) this.drop(client)
  }

  /** Ends these connections, where the lane still has them: they may be broken without having said so. */
  drop(client: pg.Client): void {
    if (!this.has(client)) return
    const clients = this.#clients ?? []
    this.#clients = null
    for (const one of clients) endSurely(one).catch(() => {})
  }

  /** Ends the connections, those that are being made as well. */
  async end(): Promise<void> {
    this.#round += 1
    this.#connecting = null
    const clients = this.#clients ?? []
    this.#clients = null
    await Promise.all(clients.map(endSurely))
  }

  async #connect(round: number): Promise<void> {
    const clients: pg.Client[] = []
    try {
      // One after the other, so that two servers never hold one lock each.
      for (const lock of locks) {
        const client = await this.#open(lock, round)
        clients.push(client)
        if (clients.length === 1) await this.#options.demand?.(client)
      }
      // The lane may have been given up while the last lock was on its way: nobody would ever end these connections, and others wait for the lane.
      this.#demand(round)
      if (clients.some((client) => this.#lost.has(client)))
        throw new Error('a connection of the lane was lost meanwhile')
      this.#options.connected()
      this.#clients = clients
    } catch (error) {
      for (const client of clients) endSurely(client).catch(() => {})
      throw error
    } finally {
      if (round === this.#round) this.#connecting = null
    }
  }

  /** Asks again and again: a server that waited in PostgreSQL's own queue would get a lane that it does not want any more. */
  async #lock(client: pg.Client, lock: number, round: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as free', [lock, this.#lane])
      this.#demand(round)
      if (rows[0]?.free) return
      if (tries === 0)
        this.#options.log.info(
          { lane: this.#lane },
          'another server still writes this lane: waiting until it has stopped',
        )
      await sleep(againMs)
    }
  }

  #demand(round: number) {
    if (this.#isOver || round !== this.#round || !this.#options.mayHold())
      throw new Error('this server may not hold the lane')
  }

  async #open(lock: number, round: number): Promise<pg.Client> {
    const { databaseUrl, log, nodeId } = this.#options
    const client = new pg.Client({
      ...connectionOf(databaseUrl),
      application_name: laneName(this.#lane, nodeId),
      options: '-c plan_cache_mode=force_generic_plan -c synchronous_commit=on -c timezone=UTC',
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    const onLost = (error: Error) => {
      this.#lost.add(client)
      if (!this.has(client)) return
      log.warn({ err: error, lane: this.#lane }, 'a lane lost its connections')
      this.drop(client)
      this.#options.lost()
    }
    client.on('error', onLost)
    client.on('end', () => onLost(new Error('the database closed the connection')))
    await client.connect()
    gatherWrites(client)
    try {
      await this.#lock(client, lock, round)
      return client
    } catch (error) {
      endSurely(client).catch(() => {})
      throw error
    }
  }
}

/**
 * Ends a connection, and cuts one that does not end in time: `end` waits for statements whose end the driver may have missed, and nobody else
 * gets the lane as long as the connection, which holds its lock, is there.
 */
async function endSurely(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const timer = setTimeout(() => stream.destroy(), endWithinMs)
  const closed = new Promise<void>((resolve) => (stream.destroyed ? resolve() : stream.once('close', () => resolve())))
  try {
    await Promise.race([client.end(), closed])
  } finally {
    clearTimeout(timer)
  }
}

/** The name of a lane's connections in PostgreSQL. */
export const laneName = (lane: number, nodeId: string | undefined): string =>
  `isotherm lane ${lane}${nodeId ? ` ${nodeId}` : ''}`

/** Waits for all, then throws the first failure: nothing of a transaction may still be running when it is given up. */
export async function awaitAll<T extends readonly unknown[]>(...work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const settled = await Promise.allSettled(work)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T
}
