import type { Log } from '../log/log.ts'
import type { Pool } from './pool.ts'
import { type Standbys, standbysOf } from './standby-queries.ts'

const everyMs = 1_000

/** Why what is acknowledged may be on one machine only; null: a synchronous standby has it, too. */
export function faultOf({ isBlind, synchronous, following }: Standbys): string | null {
  if (synchronous === '')
    return 'No standby is synchronous: a fail-over of the database may lose readings that were acknowledged.'
  if (isBlind) return 'The login of the database may not see its standbys: GRANT pg_monitor TO it.'
  return following > 0 ? null : 'No synchronous standby follows: nothing can be acknowledged.'
}

/** Looks every second whether a synchronous standby follows the database, and tells when that changes. */
export class StandbyWatch {
  readonly #pool: Pool
  readonly #log: Log
  readonly #changed: (fault: string | null) => void
  #fault: string | null | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(pool: Pool, log: Log, changed: (fault: string | null) => void) {
    this.#pool = pool
    this.#log = log
    this.#changed = changed
  }

  /** A sentence for the operator; null: all is well. */
  get fault(): string | null {
    return this.#fault ?? null
  }

  async start(): Promise<void> {
    await this.#look()
    this.#soon()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  #soon() {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#soon())
    }, everyMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const fault = await standbysOf(this.#pool).then(faultOf, () => 'The database does not answer.')
    if (fault === this.#fault) return
    if (fault) this.#log.error({ fault }, 'readings are refused (REQUIRE_SYNC_STANDBY)')
    else if (this.#fault !== undefined) this.#log.info('a synchronous standby follows again: readings are taken')
    this.#fault = fault
    this.#changed(fault)
  }
}
