import { Counter, type Registry } from 'prom-client'
import type { Log } from '../log/log.ts'

/** Somebody who is logged in asked for an object by a number that is absent, invisible to them or another company's. */
interface Denial {
  companyId: number
  userId: string
  /** The call by its row: `GET /devices/:id`. */
  call: string
  /** The id in the path. */
  params: unknown
  address: string
  requestId: string
  at: Date
}

const windowMs = 60_000
/** Objects that are named per person and minute; the rest is counted, and reported with their next one after that minute. */
const maxNamed = 5
const maxPeople = 10_000

interface Minute {
  from: number
  named: number
  more: number
}

/**
 * Leaves a trace of denied objects in the log and a counter: whoever tries numbers one after the other shows, and cannot flood the
 * log. All three kinds are alike here, as they are in the answer.
 */
export class DeniedObjects {
  readonly #log: Log
  readonly #counter: Counter<'call'>
  readonly #minutes = new Map<string, Minute>()

  constructor(log: Log, metrics: Registry) {
    this.#log = log
    this.#counter = new Counter({
      name: 'http_objects_denied_total',
      help: 'Answers 404 to somebody logged in who named an object: absent, invisible or of another company',
      labelNames: ['call'] as const,
      registers: [metrics],
    })
  }

  note({ at, ...denial }: Denial): void {
    this.#counter.inc({ call: denial.call })
    const person = `${denial.companyId} ${denial.userId}`
    const known = this.#minutes.get(person)
    const isFresh = known !== undefined && at.getTime() - known.from < windowMs
    const minute = isFresh ? known : { from: at.getTime(), named: 0, more: 0 }
    if (!isFresh) {
      this.#minutes.delete(person)
      this.#minutes.set(person, minute)
      this.#forgetOldest()
    }
    if (minute.named >= maxNamed) {
      minute.more += 1
      return
    }
    minute.named += 1
    const before = isFresh ? 0 : (known?.more ?? 0)
    this.#log.info({ ...denial, ...(before > 0 ? { unnamedBefore: before } : {}) }, 'an object was denied')
  }

  #forgetOldest() {
    const [oldest] = this.#minutes.keys()
    if (this.#minutes.size > maxPeople && oldest) this.#minutes.delete(oldest)
  }
}
