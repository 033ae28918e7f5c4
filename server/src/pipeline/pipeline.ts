import type pg from 'pg'
import type { Registry } from 'prom-client'
import { markSent } from '../core/devices/commands.ts'
import { forgetChanges } from '../core/devices/settings-changes.ts'
import type { Bus } from '../platform/bus/bus.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Members } from '../platform/cluster/members.ts'
import type { Peers } from '../platform/cluster/peers.ts'
import type { Pool } from '../platform/db/pool.ts'
import { asPipeline } from '../platform/db/transaction.ts'
import type { Log } from '../platform/log/log.ts'
import { longBodyBytes, Pace } from '../platform/loop/pace.ts'
import { type Due, findDue, findRecordsOver, findSilent, SweepDedup } from './alarm-sweep.ts'
import type { InboundMessage, Part, RejectedPerDay, Tick } from './batch.ts'
import { contentOf, type Forwarded, type ForwardedOutcome } from './cluster/forwarded.ts'
import { demandLaneCount, LaneCountError } from './cluster/lane-queries.ts'
import { SharedLanes } from './cluster/shared-lanes.ts'
import { commandsFor, presentDevices, type Tracker } from './ingest/device.ts'
import { Directory } from './ingest/directory.ts'
import { readDevices } from './ingest/directory-queries.ts'
import { Gate } from './ingest/gate.ts'
import { type Decoded, type Outcome, type Protocol, weightOf } from './ingest/inbound-message.ts'
import { Refusals } from './ingest/refusals.ts'
import { Arrivals, route, type Window } from './ingest/router.ts'
import { judgeIntervals } from './judge-intervals.ts'
import type { LaneContext } from './lane-context.ts'
import { laneOf } from './lane-of.ts'
import { type Lanes, OwnLanes } from './lanes.ts'
import { measurePipeline } from './measure.ts'
import { publishBatch } from './process-batch.ts'
import { SettingsWatch } from './settings-watch.ts'
import { Partitions } from './store/partitions.ts'

const hourMs = 3_600_000
// How often the clock is asked for delays that are over, and every how many times for silent devices.
const sweepMs = 1_000
const silenceEvery = 10

export interface PipelineOptions {
  databaseUrl: string
  pool: Pool
  /** Default: one of its own. */
  pace?: Pace
  bus: Bus
  clock: Clock
  log: Log
  metrics: Registry
  window: Window
  /** How much of what cannot be stored is kept of a tracker. Unset: all of it. */
  rejectedPerDay?: RejectedPerDay
  /** How many lanes the installation has. */
  lanes?: number
  /** The other nodes; unset: there are none. */
  cluster?: { members: Members; peers: Peers }
  /** Readings per transaction, about. */
  maxBatch?: number
  /** Devices that a lane remembers between batches; of all others it reads the state again. */
  maxRemembered?: number
  /** Readings that may wait before senders are held back. */
  maxWaiting?: number
  /** How long a sender by HTTP waits until its readings are stored. */
  answerWithinMs?: number
  /** Wrong secrets and unknown IMEIs of one address within a minute; more are not looked up. */
  refusalsPerAddress?: number
  /** Hears that this server may write no lane, because the others have another number of them. */
  refused?: (error: Error) => void
  /** False: it does not ask by itself what is due by the clock; a test asks that sets its own. */
  sweepsByItself?: boolean
}

/** Nothing takes what is said to it any more: without a word a caller who is gone, or a job, would wait for ever. */
class PipelineStoppedError extends Error {
  constructor() {
    super('the pipeline has stopped')
  }
}

/** The pipeline as one object: both ingests use it. */
export class Pipeline {
  readonly directory: Directory
  readonly gate: Gate
  readonly pace: Pace
  readonly refusals: Refusals
  readonly answerWithinMs: number
  readonly #options: PipelineOptions
  readonly #lanes: Lanes
  readonly #partitions: Partitions
  readonly #arrivals = new Arrivals()
  readonly #watch: SettingsWatch
  #housekeeping: NodeJS.Timeout | undefined
  #sweeping: NodeJS.Timeout | undefined
  #isStopping = false
  #isRefused = false
  #swept: Promise<void> = Promise.resolve()
  #sweeps = 0
  readonly #asked = new SweepDedup()

  constructor(options: PipelineOptions) {
    const count = options.lanes ?? 2
    this.#options = options
    this.directory = new Directory(options.pool, count)
    this.#watch = new SettingsWatch(options.pool, this.directory, options.log)
    this.answerWithinMs = options.answerWithinMs ?? 15_000
    this.refusals = new Refusals(options.refusalsPerAddress ?? 600)
    this.pace = options.pace ?? new Pace()
    this.gate = new Gate(options.maxWaiting ?? 50_000)
    this.#partitions = new Partitions(options.pool)
    const measure = measurePipeline(options.metrics, this.gate)
    const context: LaneContext = {
      databaseUrl: options.databaseUrl,
      maxBatch: options.maxBatch ?? 5_000,
      maxRemembered: options.maxRemembered ?? 50_000,
      rejectedPerDay: options.rejectedPerDay,
      log: options.log,
      nodeId: options.cluster?.members.id,
      demand: (client) => this.#demandCount(client, count),
      mayHold: () => !options.cluster?.members.isCutOff,
      now: () => this.now(),
      // The next sweep asks for silence, too.
      opened: () => (this.#sweeps = 0),
      prepare: (batch) => this.#partitions.ensure(batch.rows.map((row) => row.at)),
      forgetPartitions: () => this.#partitions.forget(),
      forget: (changes) => this.directory.forget(changes),
      reroute: (parts) => this.#reroute(parts),
      committed: (batch) => {
        measure(batch)
        judgeIntervals(this, batch)
        return publishBatch(batch, options.bus)
      },
    }
    const { cluster, pool } = options
    this.#lanes = cluster
      ? new SharedLanes({ ...cluster, count, context, pool, patienceMs: this.answerWithinMs })
      : new OwnLanes(count, context)
    cluster?.peers.on('part', (body) => this.#takeForwarded(body as Forwarded))
  }

  async #demandCount(client: pg.Client, count: number): Promise<void> {
    try {
      await demandLaneCount(client, count)
    } catch (error) {
      if (error instanceof LaneCountError) {
        this.#isRefused = true
        this.#options.refused?.(error)
      }
      throw error
    }
  }

  now(): number {
    return this.#options.clock.now().getTime()
  }

  get log(): Log {
    return this.#options.log
  }

  async start(): Promise<void> {
    this.#isStopping = false
    await this.#runHousekeeping()
    await this.#watch.start()
    await this.#lanes.start()
    this.#housekeeping = setInterval(() => {
      this.#runHousekeeping().catch((error: Error) =>
        this.log.warn({ err: error }, 'housekeeping of the pipeline failed'),
      )
    }, hourMs)
    this.#housekeeping.unref()
    if (this.#options.sweepsByItself !== false) this.#sweepSoon()
  }

  /** Finishes what has been taken in, then disconnects; what comes late is refused. Close the ingests first. */
  async stop(): Promise<void> {
    clearInterval(this.#housekeeping)
    this.#isStopping = true
    clearTimeout(this.#sweeping)
    await this.#watch.stop()
    await this.#lanes.stop()
    // It asks the pool, which ends next.
    await this.#swept
  }

  #sweepSoon() {
    if (this.#isStopping) return
    this.#sweeping = setTimeout(() => {
      const isSilenceDue = this.#sweeps++ % silenceEvery === 0
      this.sweepAlarms(isSilenceDue)
        .catch((error: Error) => {
          if (!this.#isStopping) this.log.warn({ err: error }, 'alarms could not be asked what is due')
        })
        .finally(() => this.#sweepSoon())
    }, sweepMs)
    this.#sweeping.unref()
  }

  /**
   * Has delays and records that are over, and devices that are missed, judged by their lanes; resolves once that is committed, and what a
   * sweep before it had asked for.
   */
  sweepAlarms(withSilence: boolean): Promise<void> {
    const sweep = this.#swept.then(() => this.#sweepOnce(withSilence))
    this.#swept = sweep.catch(() => {})
    return sweep
  }

  async #sweepOnce(withSilence: boolean): Promise<void> {
    const { pool, clock } = this.#options
    const isHere = (one: Due) => this.#isHere(one)
    const over = withSilence ? await findRecordsOver(pool, clock.now()) : []
    const due = this.#asked.take([...(await findDue(pool, clock.now())), ...over].filter(isHere), this.now())
    if (withSilence) due.push(...(await findSilent(pool, clock.now())).filter(isHere))
    await this.#queueTicks(due)
  }

  /** Has the alarms of a sandbox judged by its clock, by their lanes, on whatever node; resolves once that is committed. */
  async sweepSandbox(companyId: number): Promise<void> {
    const { pool, clock } = this.#options
    const now = clock.now()
    const due = [
      ...(await findRecordsOver(pool, now, companyId)),
      ...(await findDue(pool, now, companyId)),
      ...(await findSilent(pool, now, companyId)),
    ]
    await this.#queueTicks(due)
  }

  /** Those of lanes that another node holds are that node's to ask for; a lane that nobody holds yet is swept when somebody does. */
  #isHere({ companyId, deviceId }: Due): boolean {
    return this.#lanes.writes(laneOf(companyId, deviceId, this.#lanes.count))
  }

  async #queueTicks(due: readonly Omit<Due, 'triggerId'>[]): Promise<void> {
    if (due.length === 0) return
    const devices = await asPipeline(this.#options.pool, ({ client }) =>
      readDevices(client, due, this.#lanes.count, this.directory.places),
    )
    // One part for each company: it waits while another writer has that company, and no other company waits with it.
    const parts = new Map<string, Tick[]>()
    const silences = new Map<string, Tick['silence']>(
      due.flatMap(({ companyId, deviceId, silence }) =>
        silence ? [[`${companyId}:${deviceId}`, silence] as const] : [],
      ),
    )
    for (const device of devices) {
      const key = `${device.lane} ${device.companyId}`
      const ticks = parts.get(key) ?? []
      ticks.push({ device, silence: silences.get(device.key) ?? null })
      parts.set(key, ticks)
    }
    await Promise.all(
      [...parts.values()].map((ticks) => this.#queueWork(ticks[0]?.device.lane ?? 0, { windows: [], ticks })),
    )
  }

  // Next month's partition before it is needed; old changes of settings; what deleted alarms counted.
  async #runHousekeeping() {
    const now = this.now()
    await this.#partitions.ensure([now, now + 31 * 24 * hourMs])
    await asPipeline(this.#options.pool, async ({ client, tx }) => {
      await forgetChanges(tx)
      await client.query(`delete from alarm_outside o using alarms a
        where a.company_id = o.company_id and a.id = o.alarm_id and a.archived_at is not null`)
    })
  }

  /** Whether every lane of this node has its connections to the database. */
  get isReady(): boolean {
    return this.#lanes.isReady && !this.#isRefused
  }

  /** Notes that a tracker was told its commands. */
  markCommandsSent(tracker: Tracker): Promise<void> {
    const told = presentDevices(tracker, this.now()).filter(({ commands }) => commands.length > 0)
    return markSent(this.#options.pool, told, this.now())
  }

  /**
   * Judges a stretch of a device's readings again by the limits and intervals of now, from the raw rows: for whoever
   * changes the past. Instants in ms. Resolves once committed.
   */
  async recompute(companyId: number, deviceId: number, from: number, to: number): Promise<void> {
    const [device] = await asPipeline(this.#options.pool, ({ client }) =>
      readDevices(client, [{ companyId, deviceId }], this.#lanes.count, this.directory.places),
    )
    if (!device) return
    await this.#queueWork(device.lane, { windows: [{ device, from, to }], ticks: [] })
  }

  /** Has a lane do something that no device asked for; resolves once committed. */
  #queueWork(lane: number, work: Pick<Part, 'windows' | 'ticks'>): Promise<unknown> {
    const { windows, ticks } = work
    const device = [...windows, ...ticks][0]?.device
    const [owner, clock] = [device?.companyId ?? null, device?.clockThen ?? null]
    const tracker: Tracker = { imei: '', secretHash: Buffer.alloc(0), owner, assignments: [], stale: false }
    return new Promise((resolve, reject) => {
      if (this.#isStopping) return reject(new PipelineStoppedError())
      const message: InboundMessage = { ...this.#message(tracker, 'http', 1, resolve, reject, clock), waiting: 1 }
      this.#lanes.add(lane, { message, tracker, rows: [], refused: [], acks: [], ...work })
    })
  }

  /**
   * Has the body of a company's tracker decoded, long ones as its turn comes; those of one company stay in order. False: too
   * many wait already.
   */
  read(company: number | null, body: Buffer, decode: () => void): boolean {
    return this.pace.when(company, () => {
      if (body.length < longBodyBytes) decode()
      else this.pace.parse(company, decode)
    })
  }

  /** Sends what a device said down the pipeline; resolves once every reading of it is committed. */
  submit(tracker: Tracker, protocol: Protocol, content: Decoded, clock: number | null = null): Promise<Outcome> {
    return new Promise((resolve, reject) => this.send(tracker, protocol, content, resolve, reject, clock))
  }

  /** The same with callbacks, for a broker with a hundred thousand of them. */
  send(
    tracker: Tracker,
    protocol: Protocol,
    content: Decoded,
    done: (outcome: Outcome) => void,
    failed: (error: Error) => void,
    clock: number | null = null,
  ): void {
    const size = weightOf(content)
    if (this.#isStopping) failed(new PipelineStoppedError())
    else this.#dispatch(this.#message(tracker, protocol, size, withoutAnswered(content, done), failed, clock), content)
  }

  #message(
    tracker: Tracker,
    protocol: Protocol,
    size: number,
    done: (outcome: Outcome) => void,
    failed: (error: Error) => void,
    clock: number | null = null,
  ): InboundMessage {
    const { owner } = tracker
    this.gate.enter(owner, size)
    let isOver = false
    const leave = () => {
      if (isOver) return false
      isOver = true
      this.gate.leave(owner, size)
      return true
    }
    const message: InboundMessage = {
      tracker,
      protocol,
      receivedAt: clock ?? this.now(),
      clock,
      waiting: 0,
      outcome: { accepted: 0, duplicates: 0, rejected: [], commands: [] },
      hops: 0,
      // Once only: several of its parts may be given up on.
      done: (outcome) => {
        if (!leave()) return
        outcome.commands = commandsFor(message.tracker, message.receivedAt)
        done(outcome)
      },
      failed: (error) => {
        if (leave()) failed(error)
      },
    }
    return message
  }

  #dispatch(message: InboundMessage, content: Decoded) {
    const parts = route(message, content, this.#options.window, this.#arrivals)
    message.waiting += parts.size
    for (const [lane, part] of parts) this.#lanes.add(lane, part)
  }

  /** Takes over what another node took in for a lane of this one; resolves once it is committed. */
  async #takeForwarded(forwarded: Forwarded): Promise<ForwardedOutcome> {
    const { imei, protocol, receivedAt, clock = null, hops, windows, ticks = [], acks } = forwarded
    if (this.#isStopping) throw new PipelineStoppedError()
    await this.#queueTicks(ticks)
    for (const { companyId, deviceId, from, to } of windows) await this.recompute(companyId, deviceId, from, to)
    if (windows.length + ticks.length > 0) return { accepted: 0, duplicates: 0, rejected: [] }
    const secretHash = Buffer.from(forwarded.secretHash, 'base64')
    // Known trackers go at once, in the order in which their messages came.
    const found = this.directory.known(imei) ?? (await this.directory.find(imei))
    const tracker = trackerNow(found, { imei, secretHash })
    if (this.gate.isFullFor(tracker.owner)) throw new Error('too much waits here')
    const content = contentOf({ ...forwarded, acks: isProvenBy(found, secretHash) ? acks : [] })
    return new Promise((resolve, reject) => {
      const done = ({ accepted, duplicates, rejected }: Outcome) => resolve({ accepted, duplicates, rejected })
      const message = this.#message(tracker, protocol, weightOf(content), done, reject)
      this.#dispatch(Object.assign(message, { receivedAt, clock, hops }), content)
    })
  }

  async #reroute(parts: readonly Part[]): Promise<void> {
    // All are found before any is sent on: what fails in between is tried again as a whole.
    const trackers = await Promise.all(parts.map(({ message }) => this.directory.find(message.tracker.imei)))
    for (const [index, { message, rows, refused, acks }] of parts.entries()) {
      const isProven = isProvenBy(trackers[index], message.tracker.secretHash)
      message.tracker = trackerNow(trackers[index], message.tracker)
      // The time of arrival it was given stays: it may have been promised to another row already.
      const routed = rows.map(({ reading, at }) => ({ ...reading, measuredAt: at }))
      const homeless = refused.flatMap(({ reading, measuredAt }) => (reading ? [{ ...reading, measuredAt }] : []))
      const still = refused.filter(({ reading }) => !reading)
      this.#dispatch(message, { readings: [...routed, ...homeless], refused: still, acks: isProven ? acks : [] })
      message.waiting--
    }
  }
}

/** Whether a message was proved by the secret that its tracker has now. */
const isProvenBy = (found: Tracker | null | undefined, secretHash: Buffer): found is Tracker =>
  found?.secretHash.equals(secretHash) ?? false

/** Its tracker as it is now. What was proved by a former secret, whose owner has no right to the hardware any more, belongs to nobody. */
const trackerNow = (found: Tracker | null | undefined, then: Pick<Tracker, 'imei' | 'secretHash'>): Tracker =>
  isProvenBy(found, then.secretHash) ? found : { ...then, owner: null, assignments: [], stale: false }

/** A command that this message answers is not asked for again in the answer to it. */
function withoutAnswered({ acks }: Decoded, done: (outcome: Outcome) => void): (outcome: Outcome) => void {
  if (acks.length === 0) return done
  const answered = new Set(acks.map(({ commandId }) => commandId))
  return (outcome) =>
    done({ ...outcome, commands: outcome.commands.filter(({ commandId }) => !answered.has(commandId)) })
}
