import { Gauge, type Registry } from 'prom-client'
import type { Log } from '../log/log.ts'
import { type Clock, systemClock } from './clock.ts'

const everyMs = 5_000
/** The machine's clock may be so far off before the operator is told. */
const allowedMs = 2_000
/** A step back of up to so much is waited out: until then the clock stands. A longer one is taken at once. */
const longestStandMs = 2_000
/** By how much two clocks may drift apart: 200 ms in 1,000 s. */
const driftPerMs = 0.000_2

export interface DatabaseClockOptions {
  /** The database's time in ms since 1970, and when it was asked for and answered, by `ticks`. */
  ask(ticks: () => number): Promise<Answered>
  log: Log
  /** The clock of this machine, only to tell by how much it is off. */
  machine?: Clock
  /** Milliseconds that nobody can set. */
  ticks?: () => number
}

export interface Answered {
  at: number
  asked: number
  answered: number
}

/** A sentence for the operator about a clock that is so far ahead of the database's; null: all is well, or not known. */
export function clockFault(whose: string, aheadMs: number | null): string | null {
  const ahead = aheadMs ?? 0
  if (Math.abs(ahead) <= allowedMs) return null
  const seconds = (Math.abs(ahead) / 1_000).toFixed(1)
  return `${whose} is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's: set both by NTP, or receivers refuse our webhooks.`
}

interface Measured {
  /** The database's time less the ticks. */
  ahead: number
  /** By how much that may be wrong: half of the roundtrip. */
  errorMs: number
  tick: number
}

/**
 * The database's clock, which is the same for all nodes. It is asked every few seconds, and in between the ticks of this machine are counted: whether
 * the clock of the machine is wrong, or is set, changes nothing.
 */
export class DatabaseClock implements Clock {
  readonly #ask: DatabaseClockOptions['ask']
  readonly #log: Log
  readonly #machine: Clock
  readonly #ticks: () => number
  #measured: Measured | null = null
  #last = Number.NEGATIVE_INFINITY
  #logged: string | null = null
  #timer: NodeJS.Timeout | undefined
  #measuring: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor({ ask, log, machine = systemClock, ticks = () => performance.now() }: DatabaseClockOptions) {
    this.#ask = ask
    this.#log = log
    this.#machine = machine
    this.#ticks = ticks
  }

  /** Until the database has answered for the first time it is the machine's clock. */
  now(): Date {
    if (!this.#measured) return this.#machine.now()
    const at = Math.floor(this.#ticks() + this.#measured.ahead)
    const isStanding = at < this.#last && this.#last - at <= longestStandMs
    if (!isStanding) this.#last = at
    return new Date(this.#last)
  }

  /** By how many ms the clock of this machine is ahead of the database's; null: not known yet. What may be the roundtrip's counts as nothing. */
  get machineAheadMs(): number | null {
    if (!this.#measured) return null
    const ahead = this.#machine.now().getTime() - (this.#ticks() + this.#measured.ahead)
    const { errorMs } = this.#measured
    if (Math.abs(ahead) <= errorMs) return 0
    return Math.round(ahead - Math.sign(ahead) * errorMs)
  }

  /** A sentence for the operator; null: all is well. */
  get fault(): string | null {
    return clockFault("This machine's clock", this.machineAheadMs)
  }

  report(metrics: Registry): void {
    const aheadMs = () => this.machineAheadMs
    new Gauge({
      name: 'clock_ahead_seconds',
      help: "By how many seconds this machine's clock is ahead of the database's",
      registers: [metrics],
      collect() {
        this.set((aheadMs() ?? 0) / 1_000)
      },
    })
  }

  async start(): Promise<void> {
    await this.measure()
    this.#soon()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#measuring
  }

  /** Asks the database once. */
  async measure(): Promise<void> {
    const { at, asked, answered } = await this.#ask(this.#ticks)
    const found: Measured = { ahead: at - (asked + answered) / 2, errorMs: (answered - asked) / 2, tick: answered }
    const known = this.#measured
    const knownErrorMs = known ? known.errorMs + (answered - known.tick) * driftPerMs : Number.POSITIVE_INFINITY
    const apart = known ? Math.abs(found.ahead - known.ahead) : 0
    // A slow answer says less than what is known, unless both cannot be true: then the database's clock was set.
    if (found.errorMs <= knownErrorMs || apart > found.errorMs + knownErrorMs) this.#measured = found
    if (known && apart - found.errorMs - knownErrorMs > allowedMs)
      this.#log.warn({ ms: Math.round(found.ahead - known.ahead) }, "the database's clock was set")
    this.#tell()
  }

  #tell() {
    const { fault } = this
    const kind = fault && (this.machineAheadMs ?? 0) > 0 ? 'ahead' : fault && 'behind'
    if (kind === this.#logged) return
    if (fault) this.#log.warn(fault)
    else this.#log.info("this machine's clock agrees with the database's again")
    this.#logged = kind
  }

  #soon() {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#measuring = this.measure()
        .catch((err: unknown) => this.#log.debug({ err }, 'the database could not be asked for its time'))
        .finally(() => this.#soon())
    }, everyMs)
    this.#timer.unref()
  }
}
