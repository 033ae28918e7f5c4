import pg from 'pg'
import type { Log } from '../../platform/log/log.ts'
import { type DeliverTools, deliver } from './deliver.ts'
import { type DispatchTools, dispatch } from './dispatch.ts'
import { passTime } from './lifecycle.ts'

const pollMs = 1_000

/** Keeps messages going: woken by the database when an event is written, and every second. */
export class Notifier {
  readonly #tools: DispatchTools & DeliverTools
  readonly #databaseUrl: string
  #listener: pg.Client | undefined
  #wake: () => void = () => {}
  #isStopping = false
  #running: Promise<void> = Promise.resolve()

  constructor(tools: DispatchTools & DeliverTools, databaseUrl: string) {
    this.#tools = tools
    this.#databaseUrl = databaseUrl
  }

  async start(): Promise<void> {
    await this.#listen()
    this.#running = this.#run()
  }

  /** Finishes what it is at. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#wake()
    await this.#running
    await this.#listener?.end().catch(() => {})
  }

  async #run() {
    while (!this.#isStopping) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const worked = await this.round().catch((error: Error) => {
        this.#log.warn({ err: error }, 'messages wait for the database')
        return false
      })
      if (!this.#listener) await this.#listen().catch(() => {})
      if (!worked && !this.#isStopping) await Promise.race([woken, pause(pollMs)])
    }
  }

  /** All that is due now; true where there may be more. */
  async round(): Promise<boolean> {
    await passTime(this.#tools.pool, this.#tools.now())
    const taken = await dispatch(this.#tools)
    const sent = await deliver(this.#tools)
    return taken + sent > 0
  }

  get #log(): Log {
    return this.#tools.log
  }

  async #listen() {
    const client = new pg.Client({ connectionString: this.#databaseUrl, application_name: 'isotherm notifier' })
    const lost = () => {
      this.#listener = undefined
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => this.#wake())
    await client.connect()
    await client.query('listen alarm_events')
    this.#listener = client
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
