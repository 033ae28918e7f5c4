import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { NatsConfig } from '../config/nats.ts'
import type { Log } from '../log/log.ts'
import { withOwnSockets } from './own-sockets.ts'

/** A server that does not answer for three of these is left. */
const pingMs = 2_000
const connectMs = 5_000
const firstWaitMs = 250
const maxWaitMs = 5_000
/** More than that which NATS has not taken yet: it does not keep up, and is hung up on. */
const maxWaitingBytes = 8 * 1_048_576

type Take = (data: Uint8Array) => void

/** One connection, with what NATS has not confirmed yet. */
interface Live {
  connection: NatsConnection
  waitingBytes: number
  isFlushing: boolean
}

/**
 * The connection to NATS, made again for as long as this server runs. While there is none, what is published is dropped. NATS is loaded
 * where it is used only.
 */
export class NatsLink {
  readonly #config: NatsConfig
  readonly #log: Log
  readonly #takes = new Map<string, Take>()
  readonly #ends = new Map<string, () => void>()
  readonly #stopping = new AbortController()
  #up: (lostSome: boolean) => void = () => {}
  #live: Live | null = null
  #lostSome = false
  #fault: string | null = 'it was not reached yet'
  #saidUp: boolean | null = null
  #running: Promise<void> = Promise.resolve()
  readonly #events = new Counter({
    name: 'nats_events_total',
    help: 'Live events sent to and heard from other servers by NATS, and those dropped because it was away',
    labelNames: ['what'] as const,
    registers: [],
  })
  readonly #connected = new Gauge({ name: 'nats_connected', help: '1: NATS takes live events', registers: [] })

  constructor(config: NatsConfig, log: Log) {
    this.#config = config
    this.#log = log
  }

  /** Why NATS takes no events just now; null: it does. */
  get fault(): string | null {
    return this.#fault
  }

  measure(registry: Registry): void {
    registry.registerMetric(this.#events)
    registry.registerMetric(this.#connected)
  }

  /** Hears of each new connection, once NATS has all subscriptions, and whether something was lost before it that was published here. */
  onUp(listener: (lostSome: boolean) => void): void {
    this.#up = listener
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#hangUp()
    await this.#running
  }

  subscribe(subject: string, take: Take): void {
    this.#takes.set(subject, take)
    if (this.#live) this.#listen(this.#live.connection, subject, take)
  }

  unsubscribe(subject: string): void {
    this.#takes.delete(subject)
    this.#ends.get(subject)?.()
    this.#ends.delete(subject)
  }

  publish(subject: string, data: Uint8Array): void {
    const live = this.#live
    if (!live || live.connection.isClosed() || live.waitingBytes + data.length > maxWaitingBytes) {
      this.#lostSome = true
      this.#events.inc({ what: 'dropped' })
      if (live) this.#hangUp()
      return
    }
    // Larger than NATS takes: whoever listens sees that a number is left out.
    if (data.length > (live.connection.info?.max_payload ?? data.length))
      return void this.#events.inc({ what: 'dropped' })
    live.connection.publish(subject, data)
    live.waitingBytes += data.length
    this.#events.inc({ what: 'sent' })
    if (!live.isFlushing) void this.#flush(live)
  }

  async #flush(live: Live): Promise<void> {
    live.isFlushing = true
    try {
      while (live.waitingBytes > 0 && !live.connection.isClosed()) {
        const bytes = live.waitingBytes
        await live.connection.flush()
        live.waitingBytes -= bytes
      }
    } catch {
      // The connection was lost; #run makes another.
    }
    live.isFlushing = false
  }

  /** Does not wait for NATS, which may hang. */
  #hangUp(): void {
    this.#live?.connection.close().catch(() => {})
  }

  async #run(): Promise<void> {
    for (let waitMs = firstWaitMs; !this.#isStopped; waitMs = Math.min(maxWaitMs, 2 * waitMs)) {
      try {
        const connection = await this.#connect()
        if (this.#isStopped) return void connection.close().catch(() => {})
        waitMs = firstWaitMs
        await this.#serve(connection)
        this.#note('the connection was lost')
      } catch (error) {
        this.#note(error instanceof Error ? error.message : String(error))
      }
      // Servers that lost NATS in the same moment do not come back in the same one.
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #connect(): Promise<NatsConnection> {
    const { connect, credsAuthenticator } = await import('@nats-io/transport-node')
    const { servers, login, isSecure, tls } = this.#config
    const options: NodeConnectionOptions = {
      ...{ servers, name: 'isotherm', noEcho: true, reconnect: false, timeout: connectMs },
      ...{ pingInterval: pingMs, maxPingOut: 2, ...(isSecure && { tls }) },
      ...(login && ('creds' in login ? { authenticator: credsAuthenticator(login.creds) } : login)),
    }
    return withOwnSockets(() => connect(options), this.#stopping.signal)
  }

  /** Until the connection is lost. */
  async #serve(connection: NatsConnection): Promise<void> {
    const live: Live = { connection, waitingBytes: 0, isFlushing: false }
    const closed = connection.closed()
    for (const [subject, take] of this.#takes) this.#listen(connection, subject, take)
    this.#live = live
    try {
      // A subscription is known once what follows it was answered. Without an answer the connection ends, and this with it.
      await Promise.race([connection.flush(), closed])
      if (connection.isClosed()) return
      this.#note(null)
      const lostSome = this.#lostSome
      this.#lostSome = false
      this.#up(lostSome)
      const error = await closed
      if (error && !this.#isStopped) throw error
    } finally {
      this.#live = null
      this.#ends.clear()
      if (live.waitingBytes > 0) this.#lostSome = true
    }
  }

  #listen(connection: NatsConnection, subject: string, take: Take): void {
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.#log.warn({ err: error, subject }, 'NATS refuses a subscription')
        this.#events.inc({ what: 'heard' })
        take(message.data)
      },
    })
    this.#ends.set(subject, () => subscription.unsubscribe())
  }

  #note(fault: string | null): void {
    this.#fault = fault
    const isUp = fault === null
    this.#connected.set(isUp ? 1 : 0)
    if (isUp === this.#saidUp || this.#isStopped) return
    this.#saidUp = isUp
    if (isUp) this.#log.info('NATS takes live events')
    else this.#log.warn({ reason: fault }, 'NATS is away: live events reach the listeners of this server only')
  }
}
