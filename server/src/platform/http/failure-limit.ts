import type { Clock } from '../clock/clock.ts'
import type { FailureRate } from '../config/config.ts'
import { AppError } from './app-error.ts'

/** The part of every call's context that identifies a guesser, and when. */
interface Guesser {
  companyId: number
  person: { id: string }
  clock: Clock
}

const maxRemembered = 50_000

/**
 * Counts what was guessed wrongly, and only that: whoever guesses right is never slowed down. Kept in memory, so the
 * rollback of a refused call takes nothing back.
 */
export class FailureLimit {
  readonly #rate: FailureRate
  readonly #counts = new Map<string, { failures: number; until: number }>()

  constructor(rate: FailureRate) {
    this.#rate = rate
  }

  /** Throws TOO_MANY_REQUESTS with the seconds to wait, whatever the guess would have been. */
  refuseExceeded(ctx: Guesser): void {
    const now = ctx.clock.now().getTime()
    for (const [key, most] of this.#keysOf(ctx)) {
      const count = this.#counts.get(key)
      if (!count || count.until <= now || count.failures < most) continue
      const seconds = Math.ceil((count.until - now) / 1000)
      throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
    }
  }

  count(ctx: Guesser): void {
    const now = ctx.clock.now().getTime()
    for (const [key] of this.#keysOf(ctx)) {
      const known = this.#counts.get(key)
      const count = known && known.until > now ? known : { failures: 0, until: now + this.#rate.windowS * 1000 }
      count.failures += 1
      this.#counts.set(key, count)
    }
    if (this.#counts.size > maxRemembered) this.#forgetOver(now)
  }

  #keysOf({ person, companyId }: Guesser): [string, number][] {
    const { perAccount, perCompany } = this.#rate
    return [
      [`account:${companyId}:${person.id}`, perAccount],
      [`company:${companyId}`, perCompany],
    ]
  }

  #forgetOver(now: number) {
    for (const [key, { until }] of this.#counts) if (until <= now) this.#counts.delete(key)
    // More within one window than ever should be: the oldest go.
    for (const key of this.#counts.keys()) {
      if (this.#counts.size <= maxRemembered) return
      this.#counts.delete(key)
    }
  }
}
