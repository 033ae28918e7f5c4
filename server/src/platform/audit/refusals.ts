import type { Pool } from '../db/pool.ts'
import { inTenant } from '../db/transaction.ts'
import { type Actor, type Origin, writeAudit } from './audit.ts'

/** Somebody asked for what their role does not allow. */
export interface Refusal {
  companyId: number
  actor: Extract<Actor, { kind: 'user' | 'key' }>
  origin: Origin
  /** The call by its row: `DELETE /users/:id`. */
  call: string
  needs: string
  at: Date
}

const windowMs = 60_000
/** Calls of one person that are named per minute; further ones are counted together. */
const maxCalls = 5
/** People under way at once; beyond it the oldest are forgotten, with their counts. */
const maxPeople = 10_000

interface Minute {
  from: number
  last: Refusal
  named: Set<string>
  /** Since `from` without an entry of their own. */
  more: number
}

/**
 * Records refusals so that a flood of them cannot fill the trail: of one person in one minute the first of each call, of five calls at
 * most; how many more there were is said in one entry, written with their next refusal after that minute or by `flush`.
 */
export class Refusals {
  readonly #pool: Pool
  readonly #minutes = new Map<string, Minute>()
  constructor(pool: Pool) {
    this.#pool = pool
  }

  async note(refusal: Refusal): Promise<void> {
    const person = `${refusal.companyId} ${refusal.actor.kind} ${refusal.actor.id}`
    const at = refusal.at.getTime()
    let minute = this.#minutes.get(person)
    if (minute && at - minute.from >= windowMs) {
      this.#minutes.delete(person)
      await this.#tellMore(minute)
      minute = undefined
    }
    if (!minute) {
      minute = { from: at, last: refusal, named: new Set(), more: 0 }
      this.#minutes.set(person, minute)
      this.#forgetOldest()
    }
    minute.last = refusal
    if (minute.named.has(refusal.call) || minute.named.size >= maxCalls) {
      minute.more += 1
      return
    }
    minute.named.add(refusal.call)
    await this.#write(refusal, { call: refusal.call, needs: refusal.needs })
  }

  /** Tells of what was only counted, in minutes that are over (or in all of them, before the server stops). */
  async flush(before: Date): Promise<void> {
    for (const [person, minute] of this.#minutes)
      if (minute.from + windowMs <= before.getTime()) {
        this.#minutes.delete(person)
        await this.#tellMore(minute)
      }
  }

  async #tellMore({ last, more }: Minute): Promise<void> {
    if (more > 0) await this.#write(last, { call: last.call, needs: last.needs, times: more })
  }

  #write({ companyId, actor, origin, at }: Refusal, after: Record<string, unknown>): Promise<void> {
    return inTenant(this.#pool, companyId, ({ tx }) =>
      writeAudit(tx, companyId, { actor, origin, at }, [{ action: 'auth.forbidden', after }]),
    )
  }

  #forgetOldest() {
    const [oldest] = this.#minutes.keys()
    if (this.#minutes.size > maxPeople && oldest) this.#minutes.delete(oldest)
  }
}
