import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionOf } from '../db/connection.ts'
import type { Log } from '../log/log.ts'
import { beat, type NodeRow, type OwnNode, type OwnQueues, removeNode } from './node-queries.ts'

const beatMs = 1_000
/** Servers that were seen alive are asked for so long after the instant at which they are dead. */
const afterDeathMs = 10

/** In how many ms a server notes its next sign of life: every second, or as soon as another one that was seen alive is dead, so that nobody waits for its lanes. */
export const nextBeatMs = (nodes: readonly Pick<NodeRow, 'is_alive' | 'dies_in_ms'>[]): number =>
  Math.min(beatMs, ...nodes.flatMap((node) => (node.is_alive ? [Math.max(0, node.dies_in_ms) + afterDeathMs] : [])))

/** A server that could not note a sign of life for so long gives up its lanes by itself, before others take them for its dead hands. */
const cutAfterMs = 3_000
const patienceMs = 2_000

interface Options {
  databaseUrl: string
  name: string
  address(): string
  version: string
  /** Tells whether two servers have the same secret of the installation, and nothing else of it. */
  secretMark: string
  /** By how much the clock of this machine is ahead of the database's. */
  clockAheadMs(): number | null
  /** The ids of the keys of audit trails, the newest last. */
  auditKeys(): readonly string[]
  log: Log
}

/**
 * The servers of the installation. Each has a row in table nodes and notes a sign of life every second, over a connection of its own, in the
 * clock of the database. There is no leader: all of them see the same rows.
 */
export class Members {
  readonly id = randomUUID()
  readonly #options: Options
  readonly #listeners: ((nodes: readonly NodeRow[]) => void)[] = []
  #held: () => readonly number[] = () => []
  #queues: () => OwnQueues = () => ({ readings: 0, calls: 0 })
  #nodes: readonly NodeRow[] = []
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #beatAt = Number.NEGATIVE_INFINITY
  #nextMs = beatMs
  #isDraining = false
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** All that were seen within a day, this one with them. */
  get nodes(): readonly NodeRow[] {
    return this.#nodes
  }

  /** Whether this server cannot say that it lives: others may think that it is dead. */
  get isCutOff(): boolean {
    return performance.now() - this.#beatAt > cutAfterMs
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** `held` says which lanes this server holds. */
  reports(held: () => readonly number[]): void {
    this.#held = held
  }

  /** `queues` counts the queues in this server's memory. */
  tellsQueues(queues: () => OwnQueues): void {
    this.#queues = queues
  }

  /** Hears of the servers after each sign of life, and, with the last that is known, when none could be noted. */
  onBeat(listener: (nodes: readonly NodeRow[]) => void): void {
    this.#listeners.push(listener)
  }

  async start(): Promise<void> {
    await this.#beat()
    this.#soon()
  }

  /** Says that this server stops: it gets no lanes any more. */
  async drain(): Promise<void> {
    this.#isDraining = true
    await this.beatNow()
  }

  /** Notes a sign of life now. Errors are logged. */
  beatNow(): Promise<void> {
    this.#beating = this.#beating.then(() =>
      this.#beat().catch((error: Error) => {
        this.#options.log.warn({ err: error }, 'the database could not be told that this server lives')
        this.#tell()
      }),
    )
    return this.#beating
  }

  /** Takes this server off the list. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#beating
    const client = this.#client
    this.#client = null
    if (!client) return
    await removeNode(client, this.id).catch(() => {})
    await client.end().catch(() => {})
  }

  #soon() {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.beatNow().then(() => this.#soon()), this.#nextMs)
    this.#timer.unref()
  }

  async #beat(): Promise<void> {
    const { name, address, version, secretMark, clockAheadMs, auditKeys } = this.#options
    const own: OwnNode = {
      id: this.id,
      name,
      address: address(),
      version,
      secretMark,
      isDraining: this.#isDraining,
      held: this.#held(),
      clockAheadMs: clockAheadMs(),
      auditKeys: auditKeys(),
      queues: this.#queues(),
    }
    const began = performance.now()
    this.#nextMs = beatMs
    try {
      this.#client ??= await this.#connect()
      this.#nodes = await beat(this.#client, own)
    } catch (error) {
      this.#client?.end().catch(() => {})
      this.#client = null
      throw error
    }
    this.#beatAt = began
    this.#nextMs = nextBeatMs(this.#nodes)
    this.#tell()
  }

  #tell() {
    for (const listener of this.#listeners)
      try {
        listener(this.#nodes)
      } catch (error) {
        this.#options.log.error({ err: error }, 'a part of this server could not follow the others')
      }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connectionOf(this.#options.databaseUrl),
      application_name: `isotherm node ${this.id}`,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    })
    client.on('error', () => {
      if (this.#client === client) this.#client = null
    })
    await client.connect()
    await client.query('set role pipeline')
    return client
  }
}
