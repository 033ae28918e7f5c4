import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../platform/cluster/members.ts'
import type { NodeRow } from '../../platform/cluster/node-queries.ts'
import type { Peers } from '../../platform/cluster/peers.ts'
import type { Pool } from '../../platform/db/pool.ts'
import type { Part } from '../batch.ts'
import { inPieces } from '../isolate.ts'
import { Lane } from '../lane.ts'
import type { LaneContext } from '../lane-context.ts'
import type { Lanes } from '../lanes.ts'
import { type ForwardedOutcome, forwardedOf } from './forwarded.ts'
import { laneOwners } from './lane-owners.ts'
import { endDead, heldOf } from './lane-queries.ts'
import { Outgoing } from './outgoing.ts'

/** A part is handed on in pieces of so many rows: a frame is soon written and read. */
const maxRowsOfPiece = 500
const reconnectMs = 500
/** A node that stops gives its lanes up in so many turns at most, and waits so long in all until others have those of a turn. */
const turnsOfLeaving = 4
const leaveWithinMs = 4_000
const lookMs = 50
/** So long a node that stops waits for the answers to what it handed on: who asked it would send it again otherwise. */
const answersWithinMs = 2_000

interface Options {
  count: number
  context: LaneContext
  members: Members
  peers: Peers
  pool: Pool
  /** How long a part is tried to be handed on. */
  patienceMs: number
}

/**
 * The lanes of several nodes. This one takes those that are its own by `laneOwners`, and releases those that are not any more; PostgreSQL's
 * advisory locks say who holds one. A part of a lane that another node holds is handed on to it.
 */
export class SharedLanes implements Lanes {
  readonly #options: Options
  readonly #lanes = new Map<number, Lane>()
  readonly #releasing = new Map<number, Promise<void>>()
  readonly #outgoing = new Map<number, Outgoing>()
  #owners: readonly (string | null)[] = []
  #leaving: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    options.members.reports(() => [...this.#lanes].flatMap(([number, lane]) => (lane.isConnected ? [number] : [])))
  }

  get count(): number {
    return this.#options.count
  }

  /** Also where another node has not yet released a lane: what comes for it waits. */
  get isReady(): boolean {
    const { members } = this.#options
    return !members.isDraining && !members.isCutOff && this.#owners.some((owner) => owner !== null)
  }

  writes(lane: number): boolean {
    return this.#lanes.get(lane)?.isConnected ?? false
  }

  add(lane: number, part: Part): void {
    const own = this.#lanes.get(lane)
    const outgoing = this.#outgoingOf(lane)
    // Behind those that wait for the lane, which may be this node's by now.
    if (own && outgoing.isEmpty) own.add(part)
    else for (const piece of inPieces(part, maxRowsOfPiece)) outgoing.add(piece)
  }

  async start(): Promise<void> {
    const { members } = this.#options
    members.onBeat((nodes) => this.#follow(nodes))
    this.#follow(members.nodes)
  }

  async stop(): Promise<void> {
    await this.#leaving
    this.#isStopped = true
    const answered = Promise.all([...this.#outgoing.values()].map((outgoing) => outgoing.stop()))
    await Promise.all([...this.#releasing.values(), ...[...this.#lanes.values()].map((lane) => lane.stop())])
    await Promise.race([answered, sleep(answersWithinMs, undefined, { ref: false })])
  }

  #follow(nodes: readonly NodeRow[]): void {
    const { members, peers, count } = this.#options
    if (this.#isStopped) return
    for (const lane of this.#lanes.values())
      if (members.isCutOff) lane.suspend()
      else lane.resume()
    peers.follow(nodes)
    this.#owners = laneOwners(count, nodes)
    const leaving: number[] = []
    for (const [lane, owner] of this.#owners.entries()) {
      const isOwn = owner === members.id
      const held = this.#lanes.get(lane)
      if (isOwn && !held && !this.#releasing.has(lane)) this.#take(lane)
      else if (!isOwn && held && members.isDraining) leaving.push(lane)
      else if (!isOwn && held) this.#release(lane, held)
    }
    if (leaving.length > 0) this.#leaving ??= this.#leave(leaving).finally(() => (this.#leaving = undefined))
    void this.#endDead(nodes)
  }

  #take(number: number): void {
    const lane = new Lane(number, this.#options.context)
    this.#lanes.set(number, lane)
    void this.#connect(number, lane)
  }

  /** Until the lane has its connections, or is not this node's any more. */
  async #connect(number: number, lane: Lane): Promise<void> {
    const { log } = this.#options.context
    while (this.#lanes.get(number) === lane && !this.#isStopped) {
      try {
        await lane.start()
        return
      } catch (error) {
        if (this.#lanes.get(number) === lane) log.warn({ err: error, lane: number }, 'lane cannot connect yet')
        await sleep(reconnectMs)
      }
    }
  }

  #release(number: number, lane: Lane): void {
    this.#lanes.delete(number)
    const released = lane
      .release()
      .then((parts) => {
        for (const part of parts) this.add(number, part)
      })
      .catch((error: Error) => this.#options.context.log.error({ err: error, lane: number }, 'a lane was not released'))
      .finally(() => this.#releasing.delete(number))
    this.#releasing.set(number, released)
  }

  /** Gives lanes up in turns, a few or one in each: the next when others hold those before, or the time is over. */
  async #leave(lanes: readonly number[]): Promise<void> {
    const size = Math.ceil(lanes.length / turnsOfLeaving)
    const until = performance.now() + leaveWithinMs
    for (let from = 0; from < lanes.length; from += size) {
      const turn = lanes.slice(from, from + size)
      for (const number of turn) {
        const lane = this.#lanes.get(number)
        if (lane && this.#owners[number] !== this.#options.members.id) this.#release(number, lane)
      }
      await Promise.all(turn.map((number) => this.#releasing.get(number)))
      await this.#areTaken(turn, until)
    }
  }

  async #areTaken(turn: readonly number[], until: number): Promise<void> {
    const { pool, context } = this.#options
    for (; performance.now() < until; await sleep(lookMs))
      try {
        if ((await heldOf(pool, turn)).length === turn.length) return
      } catch (error) {
        context.log.debug({ err: error }, 'who holds the lanes is not known')
      }
  }

  /** A node that died or hangs keeps the locks of its lanes as long as PostgreSQL thinks that it is there. */
  async #endDead(nodes: readonly NodeRow[]): Promise<void> {
    const { pool, context, members } = this.#options
    const dead = nodes.flatMap(({ id, is_alive }) => (is_alive || id === members.id ? [] : [id]))
    const waiting = [...this.#lanes].flatMap(([number, lane]) => (lane.isConnected ? [] : [number]))
    if (members.isCutOff || dead.length === 0) return
    try {
      const ended = await endDead(pool, waiting, dead)
      if (ended > 0) context.log.warn({ ended }, 'lanes were taken over from a dead node')
    } catch (error) {
      context.log.warn({ err: error }, 'connections of dead nodes could not be ended')
    }
  }

  #outgoingOf(lane: number): Outgoing {
    const known = this.#outgoing.get(lane)
    if (known) return known
    const { patienceMs, context } = this.#options
    const outgoing = new Outgoing({
      patienceMs,
      send: (part) => this.#send(lane, part),
      failed: (error) => context.log.debug({ err: error, lane }, 'a part could not be handed on'),
    })
    this.#outgoing.set(lane, outgoing)
    return outgoing
  }

  #send(lane: number, part: Part): Promise<ForwardedOutcome> | 'taken' | null {
    const own = this.#lanes.get(lane)
    if (own) {
      own.add(part)
      return 'taken'
    }
    const { members, peers } = this.#options
    const owner = this.#owners[lane]
    if (!owner || owner === members.id || !peers.canAsk(owner)) return null
    return peers.ask(owner, 'part', forwardedOf(part)) as Promise<ForwardedOutcome>
  }
}
