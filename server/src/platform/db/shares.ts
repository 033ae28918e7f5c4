import { AppError } from '../http/app-error.ts'

/** How long a call waits for a connection of its company's share, and how many calls may wait. */
const patienceMs = 10_000
const maxWaiting = 100

interface Share {
  running: number
  waiting: (() => void)[]
}

/** Gives each company at most so many of the pool's connections at once, so that one leaves some to the others. */
export class Shares {
  readonly #most: number
  readonly #patienceMs: number
  readonly #shares = new Map<number, Share>()

  constructor(most: number, waitMs = patienceMs) {
    this.#most = most
    this.#patienceMs = waitMs
  }

  /** Runs `work` in a company's share; waits where that is used up, in order. Throws BUSY where it would wait too long. */
  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(companyId) ?? { running: 0, waiting: [] }
    this.#shares.set(companyId, share)
    if (share.running >= this.#most) await this.#turn(share)
    else share.running++
    try {
      return await work()
    } finally {
      const next = share.waiting.shift()
      // The next one takes this slot: `running` stays.
      if (next) next()
      else share.running--
      if (share.running === 0) this.#shares.delete(companyId)
    }
  }

  #turn(share: Share): Promise<void> {
    if (share.waiting.length >= maxWaiting) throw new AppError('BUSY', {}, 2)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(go), 1)
        reject(new AppError('BUSY', {}, 2))
      }, this.#patienceMs)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      share.waiting.push(go)
    })
  }
}
