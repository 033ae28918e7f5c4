import type { Log } from '../platform/log/log.ts'
import type { Batch, Part } from './batch.ts'
import type { Changes } from './change-reader.ts'
import type { DeviceState } from './evaluate/device-state.ts'
import type { Device } from './ingest/device.ts'
import { inPieces } from './isolate.ts'
import { LaneConnections } from './lane-connections.ts'
import { LaneWriter } from './lane-writer.ts'
import type { RejectedPerDay } from './store/rejected-days.ts'
import { WaitingParts, type Work } from './waiting-parts.ts'

/** A message with more rows than that is stored in several turns of its company. */
const maxRowsOfPart = 500
const works: readonly Work[] = ['short', 'long']

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
  committed(batch: Batch): Promise<void>
}

/** What a lane remembers of its devices between batches; the writers share it, because a device is with one of them at a time. */
export interface Memory {
  /** Dropped whenever a transaction fails. */
  states: Map<string, DeviceState>
  /** Each device as it was when its readings were last judged. */
  judgedBy: Map<string, Device>
}

/**
 * A lane: the only place where its devices are written. Two writers, one for short work and one for long, take batches of what waits;
 * a company is with one of them at a time, so everything of a device is serial and ordered.
 */
export class Lane {
  readonly #waiting = new WaitingParts()
  readonly #connections: LaneConnections
  readonly #writers: Record<Work, LaneWriter>

  constructor(number: number, context: LaneContext) {
    const memory: Memory = { states: new Map(), judgedBy: new Map() }
    this.#connections = new LaneConnections(number, {
      databaseUrl: context.databaseUrl,
      log: context.log,
      connected: () => memory.states.clear(),
      // At once, not with the next reading: the server that has the lane must hold its locks.
      lost: () => this.#wakeAll(),
    })
    const shared = {
      number,
      context,
      memory,
      waiting: this.#waiting,
      connections: this.#connections,
      wakeAll: () => this.#wakeAll(),
    }
    this.#writers = {
      short: new LaneWriter({ ...shared, work: 'short', index: 0 }),
      long: new LaneWriter({ ...shared, work: 'long', index: 1 }),
    }
  }

  /** Connects, waiting for the lane to be free, and begins. */
  async start(): Promise<void> {
    await Promise.all(works.map((work) => this.#writers[work].start()))
  }

  /** Finishes what is queued, then disconnects. */
  async stop(): Promise<void> {
    await Promise.all(works.map((work) => this.#writers[work].stop()))
    await this.#connections.end()
  }

  get isConnected(): boolean {
    return this.#connections.isOpen
  }

  add(part: Part): void {
    for (const piece of inPieces(part, maxRowsOfPart)) this.#writers[this.#waiting.add(piece)].wake()
  }

  #wakeAll() {
    for (const work of works) this.#writers[work].wake()
  }
}
