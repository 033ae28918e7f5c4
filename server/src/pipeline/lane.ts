import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../platform/log/log.ts'
import type { Batch, Part, RejectedPerDay } from './batch.ts'
import { ChangeReader, type Changes } from './change-reader.ts'
import type { DeviceState } from './evaluate/device-state.ts'
import type { Device } from './ingest/device.ts'
import { inPieces, isolate, isPoison, isRepeated, isWithoutPartition } from './isolate.ts'
import { awaitAll, connectLane } from './lane-client.ts'
import { makeBatch, settle } from './make-batch.ts'
import { processBatch } from './process-batch.ts'
import { rememberOutside } from './store/write-outside.ts'
import { rememberTriggers } from './store/write-triggers.ts'
import { WaitingParts } from './waiting-parts.ts'

const maxCachedDevices = 50_000
/** A message with more rows than that is stored in several turns of its company. */
const maxRowsOfPart = 1_000

/** The functions of the pipeline that a lane needs. */
export interface LaneContext {
  databaseUrl: string
  maxBatch: number
  rejectedPerDay: RejectedPerDay | undefined
  log: Log
  now(): number
  /** Makes what the batch's rows need before its transaction begins. */
  prepare(batch: Batch): Promise<void>
  /** Something of that is not there any more. */
  forgetPartitions(): void
  /** Drops from memory what changed in the database. */
  forget(changes: Changes): void
  /** Finds the owners again of parts whose tracker or device has changed, and hands them to their lanes. */
  reroute(parts: readonly Part[]): Promise<void>
  committed(batch: Batch): void
}

/**
 * A lane: the only writer of its devices, one batch after the other, so everything of a device is serial and ordered.
 * A batch is tried until it is committed: when the database goes away its parts wait (and with them their answers).
 */
export class Lane {
  readonly #number: number
  readonly #context: LaneContext
  readonly #states = new Map<string, DeviceState>()
  readonly #judgedBy = new Map<string, Device>()
  readonly #waiting = new WaitingParts()
  readonly #changes = new ChangeReader()
  #client: pg.Client | null = null
  #wake: (() => void) | null = null
  #stopping = false
  #running: Promise<void> = Promise.resolve()

  constructor(number: number, context: LaneContext) {
    this.#number = number
    this.#context = context
  }

  /** Connects, waiting for the lane to be free, and begins. */
  async start(): Promise<void> {
    this.#stopping = false
    await this.#connect()
    this.#running = this.#run()
  }

  /** Finishes what is queued, then disconnects. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake?.()
    await this.#running
    await this.#client?.end()
  }

  get isConnected(): boolean {
    return this.#client !== null
  }

  add(part: Part): void {
    for (const piece of inPieces(part, maxRowsOfPart)) this.#waiting.add(piece)
    this.#wake?.()
  }

  async #run(): Promise<void> {
    for (;;) {
      if (this.#waiting.isEmpty) {
        if (this.#stopping) return
        if (!this.#client) {
          await this.#reconnect()
          continue
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = null
        continue
      }
      await this.#process(this.#waiting.take(this.#context.maxBatch))
    }
  }

  // At once, not with the next reading: whoever has the lane must hold its lock.
  async #reconnect(): Promise<void> {
    try {
      await this.#connect()
    } catch (error) {
      this.#context.log.warn({ err: error, lane: this.#number }, 'lane cannot connect yet')
      await sleep(500)
    }
  }

  async #process(parts: Part[]): Promise<void> {
    let trusting = true
    let hasPartitions = true
    for (let tries = 0; ; tries++) {
      try {
        if (parts.some(isStale)) return await this.#context.reroute(parts)
        if (await this.#commit(parts, trusting)) return
      } catch (error) {
        this.#states.clear()
        if (trusting && isRepeated(error)) {
          trusting = false
          continue
        }
        if (hasPartitions && isWithoutPartition(error)) {
          hasPartitions = false
          this.#context.forgetPartitions()
          continue
        }
        if (isPoison(error)) {
          this.#context.log.warn(
            { err: error, lane: this.#number, parts: parts.length },
            'a batch was refused: isolating',
          )
          for (const smaller of isolate(parts)) await this.#process(smaller)
          return
        }
        this.#drop()
        if (this.#stopping && tries > 3) return this.#giveUp(parts, error)
        this.#context.log.error({ err: error, lane: this.#number, tries }, 'a batch failed and will be tried again')
        await sleep(Math.min(2_000, 50 * 2 ** tries))
      }
    }
  }

  /** One try: true once committed, false where settings turned out to have changed since the parts were routed. */
  async #commit(parts: Part[], trusting: boolean): Promise<boolean> {
    const client = this.#client ?? (await this.#connect())
    const { rejectedPerDay } = this.#context
    const batch = makeBatch(client, parts, { now: this.#context.now(), trusting, rejectedPerDay })
    await this.#context.prepare(batch)
    try {
      await awaitAll(
        client.query('begin; set local role pipeline'),
        this.#forgetChanges(client),
        processBatch(batch, { states: this.#states, judgedBy: this.#judgedBy }),
      )
      if (parts.some(isStale)) {
        for (const key of batch.states.keys()) this.#states.delete(key)
        await client.query('rollback')
        return false
      }
      const { command } = await client.query('commit')
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    } catch (error) {
      if (this.#client === client) await client.query('rollback')
      throw error
    }
    this.#keep(batch)
    this.#announce(batch)
    return true
  }

  // The batch is committed: a failure in announcing it must not make it run again.
  #announce(batch: Batch) {
    const onError = (error: unknown) => this.#context.log.error({ err: error }, 'a committed batch was not announced')
    settle(batch, onError)
    try {
      this.#context.committed(batch)
    } catch (error) {
      onError(error)
    }
  }

  async #forgetChanges(client: pg.Client) {
    this.#context.forget(await this.#changes.read(client))
  }

  #keep(batch: Batch) {
    rememberTriggers(batch)
    rememberOutside(batch)
    for (const [key, state] of batch.states) {
      this.#states.delete(key)
      this.#states.set(key, state)
      this.#judgedBy.set(key, state.device)
    }
    if (this.#judgedBy.size > 2 * maxCachedDevices) this.#judgedBy.clear()
    for (const key of this.#states.keys()) {
      if (this.#states.size <= maxCachedDevices) break
      this.#states.delete(key)
      this.#judgedBy.delete(key)
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = await connectLane(this.#context, this.#number, (lost, error) => {
      if (this.#client !== lost) return
      this.#client = null
      this.#wake?.()
      if (!this.#stopping) this.#context.log.warn({ err: error, lane: this.#number }, 'lane lost its connection')
    })
    await this.#forgetChanges(client)
    this.#states.clear()
    this.#client = client
    return client
  }

  // Whatever went wrong, the next try gets a fresh connection: this one may be broken without having said so.
  #drop() {
    const client = this.#client
    this.#client = null
    client?.end().catch(() => {})
  }

  #giveUp(parts: readonly Part[], error: unknown) {
    for (const { message } of parts) message.failed(error instanceof Error ? error : new Error(String(error)))
  }
}

const isStale = ({ tracker, rows }: Part) => tracker.stale || rows.some((row) => row.device.stale)
