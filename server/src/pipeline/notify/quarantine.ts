import type { Log } from '../../platform/log/log.ts'
import { isPoison } from '../isolate.ts'

const againMs = 10 * 60_000
const maxKept = 10_000

/** Items that failed because of a bug of ours: left out for ten minutes, so that they hold up nothing else. */
export class Quarantine {
  readonly #until = new Map<string, number>()

  ids(now: Date): string[] {
    for (const [id, until] of this.#until) if (until <= now.getTime()) this.#until.delete(id)
    return [...this.#until.keys()]
  }

  put(id: string, now: Date): void {
    this.#until.set(id, now.getTime() + againMs)
    const [oldest] = this.#until.keys()
    if (this.#until.size > maxKept && oldest) this.#until.delete(oldest)
  }
}

interface Taking {
  quarantine: Quarantine
  log: Log
  now: Date
  maxTaken: number
  /** Takes up to `maxTaken` of what waits, the oldest first, without those; calls `begin` with what it is at. Returns how many it took. */
  take(maxTaken: number, without: string[], begin: (ids: readonly string[]) => void): Promise<number>
}

/** Processes waiting items. If one item fails, processes the items before it, quarantines it, then continues after it. */
export async function processIsolatingPoison({ quarantine, log, now, maxTaken, take }: Taking): Promise<number> {
  let step = maxTaken
  for (;;) {
    let taking: readonly string[] = []
    try {
      return await take(step, quarantine.ids(now), (ids) => {
        taking = ids
      })
    } catch (error) {
      const [first] = taking
      if (!isPoison(error) || !first) throw error
      if (taking.length > 1) step = Math.max(1, taking.length >> 2)
      else {
        log.error({ err: error, id: first }, 'something could not be told, and is tried again later')
        quarantine.put(first, now)
        step = maxTaken
      }
    }
  }
}
