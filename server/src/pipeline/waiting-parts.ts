import type { Part } from './batch.ts'

/** However many companies wait, each gets so many rows into a batch. */
const leastShare = 1_000
/** A company of which more rows wait has long work. */
const fewRows = 500
/** So does one whose readings were measured so long before they came: what lies between may have to be judged again. */
const oldMs = 3_600_000
/** So does one, for a minute, for which a batch judged more readings again. */
const manyJudgedAgain = 2_000
const rememberedMs = 60_000

/** Parts are stored by two writers: one has what is soon done, the other has long work. */
export type Work = 'short' | 'long'

const otherOf = { short: 'long', long: 'short' } as const

/** Nobody's trackers take turns as one company. */
const companyOf = ({ tracker }: Part) => tracker.owner ?? 0

/** The companies whose devices a part has something for: readings, stretches to be judged again, or what the clock says. */
const companiesOf = ({ rows, windows, ticks }: Part) =>
  [...rows, ...windows, ...ticks].map(({ device }) => device.companyId)

interface Queue {
  parts: Part[]
  rows: number
  /** How many of the parts may make readings be judged again. */
  old: number
}

/**
 * The parts that wait for a lane: each company's in the order they came, the companies in turns. A company is with one of the writers at a
 * time, and with it its devices: late rows by the thousand take seconds, and no other company's reading waits for them.
 */
export class WaitingParts {
  // The companies in the order of their turns.
  readonly #queues = new Map<number, Queue>()
  readonly #underWay: Record<Work, Set<number>> = { short: new Set(), long: new Set() }
  readonly #longUntil = new Map<number, number>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  /** Whether no writer has a batch. */
  get isIdle(): boolean {
    return this.#underWay.short.size + this.#underWay.long.size === 0
  }

  /** Adds a part; returns the work its company has now. */
  add(part: Part): Work {
    const company = companyOf(part)
    const queue = this.#queues.get(company) ?? { parts: [], rows: 0, old: 0 }
    queue.parts.push(part)
    count(queue, part, 1)
    this.#queues.set(company, queue)
    return this.#workOf(company, queue)
  }

  /**
   * Takes the parts of a batch of about `most` rows, of companies that have this work and are not with the other writer. Where several
   * companies wait, each has an even share of it. They are under way until `done`.
   */
  take(work: Work, most: number): Part[] {
    const elsewhere = this.#underWay[otherOf[work]]
    const companies = [...this.#queues].filter(
      ([company, queue]) => !elsewhere.has(company) && this.#workOf(company, queue) === work,
    )
    const share = Math.max(leastShare, Math.floor(most / companies.length))
    const taken: Part[] = []
    let rows = 0
    for (const [company, queue] of companies) {
      if (rows >= most) break
      const own = takeRows(queue, Math.min(this.#isCostly(company, queue) ? fewRows : share, most - rows), elsewhere)
      if (own.parts.length === 0) continue
      rows += own.rows
      taken.push(...own.parts)
      // A company that had its turn comes after those that had not.
      this.#queues.delete(company)
      if (queue.parts.length > 0) this.#queues.set(company, queue)
    }
    for (const part of taken) {
      this.#underWay[work].add(companyOf(part))
      for (const company of companiesOf(part)) this.#underWay[work].add(company)
    }
    return taken
  }

  /** Takes everything that waits, for another server. */
  takeAll(): Part[] {
    const parts = [...this.#queues.values()].flatMap((queue) => queue.parts)
    this.#queues.clear()
    return parts
  }

  /** The batch of a writer is done; `judgedAgain`: the number of readings that it judged again, by company. */
  done(work: Work, judgedAgain: ReadonlyMap<number, number>): void {
    this.#underWay[work].clear()
    const now = performance.now()
    for (const [company, until] of this.#longUntil) if (until < now) this.#longUntil.delete(company)
    for (const [company, readings] of judgedAgain)
      if (readings > manyJudgedAgain) this.#longUntil.set(company, now + rememberedMs)
  }

  #workOf(company: number, queue: Queue): Work {
    return queue.rows > fewRows || this.#isCostly(company, queue) ? 'long' : 'short'
  }

  /** Whether a row may cost much more than to store it: such rows are stored some at a time. */
  #isCostly(company: number, { old }: Queue): boolean {
    return old > 0 || this.#longUntil.has(company)
  }
}

const rowsOf = ({ rows, refused }: Part) => rows.length + refused.length

const isOld = ({ message, rows, windows }: Part) =>
  windows.length > 0 || rows.some(({ at }) => at < message.receivedAt - oldMs)

function count(queue: Queue, part: Part, sign: 1 | -1) {
  queue.rows += sign * rowsOf(part)
  if (isOld(part)) queue.old += sign
}

/** Takes parts from the front of a queue until they have so many rows; one at least, unless it has something of a company that is elsewhere. */
function takeRows(queue: Queue, most: number, elsewhere: ReadonlySet<number>): { parts: Part[]; rows: number } {
  let [rows, taken] = [0, 0]
  for (const part of queue.parts) {
    if (taken > 0 && rows >= most) break
    if (elsewhere.size > 0 && companiesOf(part).some((company) => elsewhere.has(company))) break
    rows += rowsOf(part)
    count(queue, part, -1)
    taken++
  }
  return { parts: queue.parts.splice(0, taken), rows }
}
