import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Turns } from '../platform/loop/turns.ts'
import type { Batch, Part } from './batch.ts'
import { ChangeReader } from './change-reader.ts'
import { isolate, isPoison, isRepeated, isWithoutPartition } from './isolate.ts'
import { awaitAll, type LaneConnections } from './lane-connections.ts'
import type { LaneContext, Memory } from './lane-context.ts'
import { makeBatch, settle } from './make-batch.ts'
import { processBatch } from './process-batch.ts'
import { rememberOutside } from './store/write-outside.ts'
import { rememberTriggers } from './store/write-triggers.ts'
import type { WaitingParts, Work } from './waiting-parts.ts'

interface Options {
  number: number
  work: Work
  /** The place of its connection among those of the lane. */
  index: number
  context: LaneContext
  memory: Memory
  waiting: WaitingParts
  connections: LaneConnections
  /** There may be something to do for the other writer. */
  wakeAll(): void
}

/**
 * One of the writers of a lane: stores one batch after the other. A batch is tried until it is committed: when the database goes away its
 * parts wait (and with them their answers).
 */
export class LaneWriter {
  readonly #options: Options
  readonly #context: LaneContext
  readonly #memory: Memory
  readonly #changes = new ChangeReader()
  // How many readings a batch judged again, by company.
  readonly #judgedAgain = new Map<number, number>()
  #client: pg.Client | null = null
  #wake: (() => void) | null = null
  #stopping = false
  #isRunning = false
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#context = options.context
    this.#memory = options.memory
  }

  async start(): Promise<void> {
    this.#stopping = false
    await this.#connect()
    if (this.#isRunning) return
    this.#isRunning = true
    this.#running = this.#run().finally(() => {
      this.#isRunning = false
    })
  }

  /** Resolves once nothing waits for the lane any more. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.wake()
    await this.#running
  }

  wake(): void {
    this.#wake?.()
  }

  async #run(): Promise<void> {
    const { waiting, work, connections, wakeAll } = this.#options
    for (;;) {
      const parts = waiting.take(work, this.#context.maxBatch)
      if (parts.length > 0) {
        await this.#processAll(parts)
        waiting.done(work, this.#judgedAgain)
        this.#judgedAgain.clear()
        wakeAll()
      } else if (this.#stopping && waiting.isEmpty && waiting.isIdle) return
      else if (!connections.isOpen && !this.#stopping) await this.#reconnect()
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = null
      }
    }
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connect()
    } catch (error) {
      this.#context.log.warn({ err: error, lane: this.#options.number }, 'lane cannot connect yet')
      await sleep(500)
    }
  }

  async #processAll(parts: Part[]): Promise<void> {
    const { holds } = this.#memory
    await holds.take(this, parts, (device) =>
      this.#context.log.error(
        { device, lane: this.#options.number },
        'two writers of a lane were given one device: the later one waits',
      ),
    )
    try {
      for (const some of byClock(parts)) await this.#process(some)
    } finally {
      holds.release(this)
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
        this.#memory.states.clear()
        if (trusting && isRepeated(error)) {
          trusting = false
          continue
        }
        if (hasPartitions && isWithoutPartition(error)) {
          hasPartitions = false
          this.#context.forgetPartitions()
          continue
        }
        const lane = this.#options.number
        if (isPoison(error)) {
          this.#context.log.warn({ err: error, lane, parts: parts.length }, 'a batch was refused: isolating')
          for (const smaller of isolate(parts)) await this.#process(smaller)
          return
        }
        this.#drop()
        if (this.#stopping && tries > 3) return this.#giveUp(parts, error)
        this.#context.log.error({ err: error, lane, tries }, 'a batch failed and will be tried again')
        await sleep(Math.min(2_000, 50 * 2 ** tries))
      }
    }
  }

  /** One try: true once committed, false where settings turned out to have changed since the parts were routed. */
  async #commit(parts: Part[], trusting: boolean): Promise<boolean> {
    const client = await this.#connect()
    const { rejectedPerDay } = this.#context
    const judgedAgain = this.#judgedAgain
    const turns = new Turns({ isShort: this.#options.work === 'short' })
    const now = parts[0]?.message.clock ?? this.#context.now()
    const batch = makeBatch(client, parts, { now, turns, trusting, rejectedPerDay, judgedAgain })
    await this.#context.prepare(batch)
    try {
      await awaitAll(
        client.query('begin; set local role pipeline'),
        this.#forgetChanges(client),
        processBatch(batch, this.#memory),
      )
      if (parts.some(isStale)) {
        for (const key of batch.states.keys()) this.#memory.states.delete(key)
        await client.query('rollback')
        return false
      }
      const { command } = await client.query('commit')
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    } catch (error) {
      if (this.#options.connections.has(client)) await client.query('rollback')
      throw error
    }
    this.#keep(batch)
    await this.#announce(batch)
    return true
  }

  // The batch is committed: a failure in announcing it must not make it run again.
  async #announce(batch: Batch) {
    const onError = (error: unknown) => this.#context.log.error({ err: error }, 'a committed batch was not announced')
    settle(batch, onError)
    try {
      await this.#context.committed(batch)
    } catch (error) {
      onError(error)
    }
  }

  #keep(batch: Batch) {
    const { states, judgedBy } = this.#memory
    rememberTriggers(batch)
    rememberOutside(batch)
    for (const [key, state] of batch.states) {
      states.delete(key)
      states.set(key, state)
      const { records, judgedUntil } = state.alarms
      judgedBy.set(key, { device: state.device, records, judgedUntil })
    }
    const { maxRemembered } = this.#context
    if (judgedBy.size > 2 * maxRemembered) judgedBy.clear()
    for (const key of states.keys()) {
      if (states.size <= maxRemembered) break
      states.delete(key)
      judgedBy.delete(key)
    }
  }

  /** The connection; a new one first says what changed while there was none. */
  async #connect(): Promise<pg.Client> {
    const { connections, index } = this.#options
    const client = await connections.client(index)
    try {
      if (client !== this.#client) await this.#forgetChanges(client)
    } catch (error) {
      connections.drop(client)
      throw error
    }
    this.#client = client
    return client
  }

  async #forgetChanges(client: pg.Client) {
    this.#context.forget(await this.#changes.read(client))
  }

  // Whatever went wrong, the next try gets fresh connections: these may be broken without having said so.
  #drop() {
    if (this.#client) this.#options.connections.drop(this.#client)
  }

  #giveUp(parts: readonly Part[], error: unknown) {
    for (const { message } of parts) message.failed(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Batches of parts for which the same instant is now: of a sandbox those of each message, and of everybody else one. */
function byClock(parts: Part[]): Part[][] {
  if (parts.every(({ message }) => message.clock === null)) return [parts]
  return [...Map.groupBy(parts, ({ message }) => message.clock).values()]
}

const isStale = ({ tracker, rows }: Part) => tracker.stale || rows.some((row) => row.device.stale)
