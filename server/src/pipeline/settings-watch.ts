import type { Pool } from '../platform/db/pool.ts'
import { asPipeline } from '../platform/db/transaction.ts'
import type { Log } from '../platform/log/log.ts'
import { ChangeReader } from './change-reader.ts'
import type { Directory } from './ingest/directory.ts'

const everyMs = 1_000

/** Drops from memory what changed, also on a node whose lanes have no batch to ask with: a revoked secret must not stay good there. */
export class SettingsWatch {
  readonly #reader = new ChangeReader()
  readonly #pool: Pool
  readonly #directory: Directory
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(pool: Pool, directory: Directory, log: Log) {
    this.#pool = pool
    this.#directory = directory
    this.#log = log
  }

  async start(): Promise<void> {
    this.#isStopped = false
    await this.#look()
    this.#soon()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #soon() {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#running = this.#look()
        .catch((error: Error) => this.#log.warn({ err: error }, 'settings changes could not be read'))
        .finally(() => this.#soon())
    }, everyMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    this.#directory.forget(await asPipeline(this.#pool, ({ client }) => this.#reader.read(client)))
  }
}
