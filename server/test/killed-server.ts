import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { apiBase } from '@isotherm/contract/call.ts'
import { freePort } from './free-port.ts'
import { until } from './postgres-pair.ts'
import { serverMain } from './server-main.ts'

const patienceMs = 120_000

/** A whole server in a process of its own, that may be killed and started again. */
export class KilledServer {
  readonly #env: Record<string, string>
  #port = 0
  #child: ChildProcess | null = null
  #complaint = ''

  constructor(dataDir: string, env: Record<string, string>) {
    this.#env = {
      ...{ PATH: process.env.PATH ?? '', DATA_DIR: dataDir, HOST: '127.0.0.1', MQTT_PORT: 'off', METRICS_PORT: 'off' },
      ...{
        LOG_LEVEL: 'error',
        OVERLOAD_DELAY_MS: '0',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        ...env,
      },
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Resolves once it takes readings. */
  async start(): Promise<void> {
    this.#port ||= await freePort()
    const child = spawn(process.execPath, [serverMain, 'start'], {
      env: { ...this.#env, PORT: String(this.#port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk) => {
      this.#complaint = `${this.#complaint}${chunk}`.slice(-2_000)
    })
    this.#child = child
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the server ended: ${this.#complaint}`)
      return await fetch(`${this.url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    }, patienceMs)
  }

  /** At once, as by the kernel; its PostgreSQL goes on until the next start. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

/** A reading that was acknowledged: sent no earlier than `from` and answered no later than `until`, ms. */
export interface AckedReading {
  at: string
  from: number
  until: number
}

interface Tracker {
  imei: string
  secret: string
}

/** Sends one reading after the other, whatever becomes of the server. */
export class Sender {
  readonly acked: AckedReading[] = []
  readonly #server: KilledServer
  readonly #tracker: Tracker
  readonly #onAck: (count: number) => Promise<unknown>
  #isOver = false
  #running: Promise<void> = Promise.resolve()

  /** `onAck` is told how many were acknowledged, before the next one is sent. */
  constructor(server: KilledServer, tracker: Tracker, onAck: (count: number) => Promise<unknown>) {
    this.#server = server
    this.#tracker = tracker
    this.#onAck = onAck
  }

  start(): void {
    this.#running = this.#send()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #send(): Promise<void> {
    const began = Date.now() - 12 * 3_600_000
    for (let n = 0; !this.#isOver; n += 1) {
      const at = new Date(began + n * 1_000).toISOString()
      const from = Date.now()
      const isAcked = await this.#post(at)
      if (isAcked) this.acked.push({ at, from, until: Date.now() })
      if (isAcked) await this.#onAck(this.acked.length)
      // It is dead, or on its way: a tracker waits as well.
      else await until(() => this.#isOver || this.#isReady(), patienceMs)
    }
  }

  #isReady(): Promise<boolean> {
    return fetch(`${this.#server.url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  #post(at: string): Promise<boolean> {
    return fetch(`${this.#server.url}${apiBase}/ingest/${this.#tracker.imei}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#tracker.secret}` },
      body: JSON.stringify({ at, temperatureC: 5 }),
    }).then(
      ({ ok }) => ok,
      () => false,
    )
  }
}
