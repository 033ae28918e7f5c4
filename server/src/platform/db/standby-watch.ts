import type { Log } from '../log/log.ts'
import type { Pool } from './pool.ts'
import { type Standbys, standbysOf } from './standby-queries.ts'

const everyMs = 1_000
/** Where readings are taken without one. */
const everyMsUnasked = 5_000

/** Why what is acknowledged may be on one machine only; null: a synchronous standby has it, too. */
export function faultOf({ isBlind, synchronous, following }: Standbys): string | null {
  if (synchronous === '')
    return 'No standby is synchronous: a fail-over of the database may lose readings that were acknowledged.'
  if (isBlind) return 'The login of the database may not see its standbys: GRANT pg_monitor TO it.'
  return following > 0 ? null : 'No synchronous standby follows: nothing can be acknowledged.'
}

interface StandbyWatchOptions {
  pool: Pool
  log: Log
  /** Whether readings are refused while no synchronous standby follows. */
  refuses: boolean
  /** Several servers share the database. Of one alone a standby is expected once its database names one. */
  isShared: boolean
  /** Hears when the fault changes. */
  changed?: (fault: string | null) => void
}

/** Looks every few seconds whether a synchronous standby follows the database, and tells when that changes. */
export class StandbyWatch {
  readonly #options: StandbyWatchOptions
  #isExpected: boolean
  #fault: string | null | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: StandbyWatchOptions) {
    this.#options = options
    this.#isExpected = options.refuses || options.isShared
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
    const waitMs = this.#options.refuses ? everyMs : everyMsUnasked
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#soon())
    }, waitMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const { pool, log, refuses, changed } = this.#options
    const fault = await standbysOf(pool).then(
      (standbys) => this.#judge(standbys),
      // A database that does not answer is told of by another check.
      () => (refuses ? 'The database does not answer.' : this.fault),
    )
    if (fault === this.#fault) return
    if (fault && refuses) log.error({ fault }, 'readings are refused (REQUIRE_SYNC_STANDBY)')
    else if (fault) log.warn(fault)
    else if (this.#fault) log.info(`a synchronous standby follows again${refuses ? ': readings are taken' : ''}`)
    this.#fault = fault
    changed?.(fault)
  }

  #judge(standbys: Standbys): string | null {
    if (standbys.synchronous !== '') this.#isExpected = true
    return this.#isExpected ? faultOf(standbys) : null
  }
}
