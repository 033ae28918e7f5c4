import type { Clock } from '../clock/clock.ts'
import type { FailureRate } from '../config/config.ts'
import { AppError } from '../errors/app-error.ts'
import { LimitStore } from './limit-store.ts'

/** The part of every call's context that identifies a guesser, and when. */
interface Guesser {
  companyId: number
  person: { id: string }
  clock: Clock
}

/**
 * Counts what was guessed wrongly, and only that: whoever guesses right is never slowed down. Kept in memory, so the
 * rollback of a refused call takes nothing back.
 */
export class FailureLimit {
  readonly #rate: FailureRate
  readonly counters = new LimitStore(50_000)

  constructor(rate: FailureRate) {
    this.#rate = rate
  }

  /**
   * Throws TOO_MANY_REQUESTS with the seconds to wait, whatever the guess would have been. `about`: what an account guesses of, where
   * that is counted by itself. `whose`: the account's own guesses alone, or those of its company, too.
   */
  refuseExceeded(ctx: Guesser, about = '', whose: 'account' | 'company' = 'company'): void {
    const keys = this.#keysOf(ctx, about)
    for (const [key, most] of whose === 'account' ? keys.slice(0, 1) : keys) {
      const { current, ttl } = this.counters.read(key, ctx.clock.now().getTime())
      if (current < most) continue
      const seconds = Math.ceil(ttl / 1000)
      throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
    }
  }

  count(ctx: Guesser, about = ''): void {
    for (const [key] of this.#keysOf(ctx, about))
      this.counters.take(key, this.#rate.windowS * 1000, ctx.clock.now().getTime())
  }

  #keysOf({ person, companyId }: Guesser, about: string): [key: string, most: number][] {
    const { perAccount, perCompany } = this.#rate
    return [
      [`account:${companyId}:${person.id}:${about}`, perAccount],
      [`company:${companyId}`, perCompany],
    ]
  }
}
