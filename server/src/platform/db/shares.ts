import { availableParallelism } from 'node:os'
import { AppError } from '../errors/app-error.ts'

/** How long a call waits for a connection of its company's share, and how many calls may wait. */
const patienceMs = 10_000
/** Some wait so much of it only: who is refused mostly asks again at once, and calls that came together must not come back together. */
const leastPatience = 0.5
const maxWaiting = 100
/** A company may use so much beyond its steady share, and owe as much, in connections times ms; unused time fills it again. */
const maxCreditMs = 1_000
/** Calls of a company beyond so many at once give way, where it wants the most of all: the first of a flood come before anybody is in debt. */
const promptCalls = 2
/** A company without a call that began or ended for so long is absent: the others may have its share. */
const absentAfterMs = 5_000
/** Shares that say nothing any more are forgotten once there are so many. */
const maxRemembered = 1_000

interface Share {
  running: number
  waiting: (() => void)[]
  /** As of `at`. */
  creditMs: number
  at: number
  /** Set while nothing of it runs and its credit has to grow before something may. */
  timer?: NodeJS.Timeout
}

/** A call counts as no more than this many times the processor time that the database spent on it: the rest of its time it waited. */
const timesProcessor = 2

/** A call in its turn. */
export interface Turn {
  /** Its company has used up half of what it may use beyond its steady share, or has other calls under way, or the call is long, while others want some. */
  readonly isHeldBack: boolean
  /** The call says how much processor time the database spent on it, where that is known. */
  processorMs?: number
}

const wanted = ({ running, waiting }: Share) => running + waiting.length

interface Options {
  /** How long a call waits at most, ms. */
  waitMs?: number
  /** The connections a company may have on average, while others want some, too; default: a quarter of the processors. */
  steady?: number
}

/**
 * Gives each company at most so many of the pool's connections at once, so that one leaves some to the others. Who keeps more than a
 * steady share of them busy for long, and wants the most of all, is held back: to one at a time, and where more wait than ever run at
 * once, to the steady share, with pauses. The connections share two processors, mostly. Calls take long where others keep the processors
 * busy, so a call that says what the database spent on it counts by that: nobody is held back for what others do.
 */
export class Shares {
  readonly #most: number
  readonly #steady: number
  readonly #patienceMs: number
  readonly #shares = new Map<number, Share>()

  constructor(most: number, { waitMs = patienceMs, steady = availableParallelism() / 4 }: Options = {}) {
    this.#most = most
    this.#steady = steady
    this.#patienceMs = waitMs
  }

  /**
   * Runs `work` in a company's share; waits where that is used up, in order. Throws BUSY where it would wait too long. A call that
   * `isLong` gives way from the first one on: by the time that the company is in debt, the first calls of a flood have kept the processors busy for a second.
   */
  async run<T>(companyId: number, work: (turn: Turn) => Promise<T>, { isLong = false } = {}): Promise<T> {
    const share = this.#shareOf(companyId)
    if (share.running >= this.#capOf(share) || share.waiting.length > 0) await this.#turn(share)
    else this.#begin(share)
    const begunAt = performance.now()
    const isGreedy = isLong || share.creditMs < maxCreditMs / 2 || share.running > promptCalls
    const turn: Turn = { isHeldBack: isGreedy && this.#wantsMost(share) }
    try {
      return await work(turn)
    } finally {
      this.#settle(share)
      this.#giveBack(share, performance.now() - begunAt, turn)
      share.running--
      this.#letIn(share)
    }
  }

  /** Calls that wait for their turn, of all companies. */
  get waiting(): number {
    return [...this.#shares.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  #shareOf(companyId: number): Share {
    const known = this.#shares.get(companyId)
    if (known) return known
    if (this.#shares.size >= maxRemembered) this.#forget()
    const made: Share = { running: 0, waiting: [], creditMs: maxCreditMs, at: performance.now() }
    this.#shares.set(companyId, made)
    return made
  }

  #forget(): void {
    for (const [companyId, share] of this.#shares) {
      this.#settle(share)
      if (share.running === 0 && share.creditMs >= maxCreditMs) this.#shares.delete(companyId)
    }
  }

  #begin(share: Share): void {
    this.#settle(share)
    share.running++
  }

  /** Brings the credit up to now: what runs beyond the steady share uses it up, what is left of that share fills it. */
  #settle(share: Share): void {
    const now = performance.now()
    const gained = (now - share.at) * (this.#steady - share.running)
    share.creditMs = Math.max(-maxCreditMs, Math.min(maxCreditMs, share.creditMs + gained))
    share.at = now
  }

  /** `tookMs` were taken off the credit while the call ran. Nothing is given back to who asks for more than may ever run at once: they keep others waiting. */
  #giveBack(share: Share, tookMs: number, { processorMs = tookMs }: Turn): void {
    if (wanted(share) > this.#most) return
    const waitedMs = Math.max(0, tookMs - timesProcessor * processorMs)
    share.creditMs = Math.min(maxCreditMs, share.creditMs + waitedMs)
  }

  #capOf(share: Share): number {
    this.#settle(share)
    if (!this.#wantsMost(share)) return this.#most
    if (share.creditMs > 0) return Math.ceil((this.#most * share.creditMs) / maxCreditMs)
    return wanted(share) > this.#most ? 0 : 1
  }

  /**
   * Whether others were here lately, and none of them wants as much. While the machine is slow everybody's calls take long: who has few of
   * them must not be held back for it.
   */
  #wantsMost(share: Share): boolean {
    let others = false
    for (const other of this.#shares.values()) {
      if (other === share || performance.now() - other.at > absentAfterMs) continue
      if (wanted(other) > wanted(share)) return false
      others = true
    }
    return others
  }

  #letIn(share: Share): void {
    while (share.waiting.length > 0 && share.running < this.#capOf(share)) {
      this.#begin(share)
      share.waiting.shift()?.()
    }
    if (share.waiting.length === 0 || share.running > 0 || share.timer) return
    const againMs = Math.ceil(Math.max(0, -share.creditMs) / this.#steady) + 1
    share.timer = setTimeout(() => {
      share.timer = undefined
      this.#letIn(share)
    }, againMs)
  }

  #turn(share: Share): Promise<void> {
    if (share.waiting.length >= maxWaiting) throw new AppError('BUSY', {}, 2)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          share.waiting.splice(share.waiting.indexOf(go), 1)
          reject(new AppError('BUSY', {}, 2))
        },
        this.#patienceMs * (leastPatience + (1 - leastPatience) * Math.random()),
      )
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      share.waiting.push(go)
      this.#letIn(share)
    })
  }
}
