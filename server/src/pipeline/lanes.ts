import type { Part } from './batch.ts'
import { Lane } from './lane.ts'
import type { LaneContext } from './lane-context.ts'

/** The lanes of the installation, as this server sees them. */
export interface Lanes {
  readonly count: number
  /** Whether every lane that this server has to hold has its connections. */
  readonly isReady: boolean
  /** Whether this server writes a lane now. */
  writes(lane: number): boolean
  /** Has a part stored by its lane, wherever that is. */
  add(lane: number, part: Part): void
  start(): Promise<void>
  /** Finishes what is queued here, then disconnects. */
  stop(): Promise<void>
}

/** All lanes, on the only node. */
export class OwnLanes implements Lanes {
  readonly #lanes: Lane[]

  constructor(count: number, context: LaneContext) {
    this.#lanes = Array.from({ length: count }, (_, number) => new Lane(number, context))
  }

  get count(): number {
    return this.#lanes.length
  }

  get isReady(): boolean {
    return this.#lanes.every((lane) => lane.isConnected)
  }

  writes(lane: number): boolean {
    return this.#lanes[lane]?.isConnected ?? false
  }

  add(lane: number, part: Part): void {
    this.#lanes[lane]?.add(part)
  }

  async start(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.start()))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()))
  }
}
