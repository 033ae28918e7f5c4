import type { Part } from './batch.ts'
import { DeviceHolds } from './device-holds.ts'
import { inPieces } from './isolate.ts'
import { LaneConnections } from './lane-connections.ts'
import type { LaneContext, Memory } from './lane-context.ts'
import { LaneWriter } from './lane-writer.ts'
import { WaitingParts, type Work } from './waiting-parts.ts'

/** A message with more rows than that is stored in several turns of its company. */
const maxRowsOfPart = 500
const works: readonly Work[] = ['short', 'long']

/**
 * A lane: the only place where its devices are written. Two writers, one for short work and one for long, take batches of what waits;
 * a company is with one of them at a time, so everything of a device is serial and ordered.
 */
export class Lane {
  readonly #waiting = new WaitingParts()
  readonly #connections: LaneConnections
  readonly #writers: Record<Work, LaneWriter>

  constructor(number: number, context: LaneContext) {
    const memory: Memory = { states: new Map(), judgedBy: new Map(), holds: new DeviceHolds() }
    this.#connections = new LaneConnections(number, {
      databaseUrl: context.databaseUrl,
      log: context.log,
      nodeId: context.nodeId,
      mayHold: context.mayHold,
      ...(context.demand ? { demand: context.demand } : {}),
      connected: () => {
        memory.states.clear()
        context.opened()
      },
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

  /**
   * Gives the lane up for another server: finishes what is queued where this one holds it. Returns what waits where it does not hold it yet; a
   * batch that lost its connections under way is given up.
   */
  async release(): Promise<Part[]> {
    this.#connections.giveUp()
    await this.stop()
    return this.#waiting.takeAll()
  }

  /** Ends the connections, until `resume`. */
  suspend(): void {
    this.#connections.suspend()
  }

  /** Makes the connections again where there are none: writers that have nothing to do make none by themselves. */
  resume(): void {
    if (!this.isConnected) this.#wakeAll()
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
