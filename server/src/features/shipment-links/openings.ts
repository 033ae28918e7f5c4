import { type AuditEntry, type Origin, writeAudit } from '../../platform/audit/audit.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'

const hourMs = 3_600_000
/** Documents of links that were opened within the hour; beyond it the oldest are told of early. */
const maxKnown = 10_000

/** Somebody opened a document by a link. */
export interface Opening {
  companyId: number
  linkId: string
  documentNo: number
  origin: Origin
  at: Date
  entry: AuditEntry
}

interface Hour {
  from: number
  last: Opening
  /** Openings since the entry of the first one. */
  more: number
}

/**
 * Keeps whoever has a link from filling the trail: of one document by one link the first opening of an hour is an entry; how many more there were is
 * said in one, once the hour is over or before the server stops. Each server counts for itself.
 */
export class Openings {
  readonly #services: Pick<Services, 'pool' | 'log' | 'clock'>
  readonly #hours = new Map<string, Hour>()
  constructor(services: Pick<Services, 'pool' | 'log' | 'clock'>) {
    this.#services = services
  }

  /** Whether an opening is the first one of its hour, so that it gets an entry of its own. */
  isFirst(opening: Opening): boolean {
    const key = `${opening.companyId} ${opening.linkId} ${opening.documentNo}`
    const hour = this.#hours.get(key)
    const at = opening.at.getTime()
    if (hour && at - hour.from < hourMs) {
      hour.last = opening
      hour.more += 1
      return false
    }
    if (hour) this.#over(key, hour)
    this.#hours.set(key, { from: at, last: opening, more: 0 })
    const [oldest] = this.#hours
    if (this.#hours.size > maxKnown && oldest) this.#over(...oldest)
    return true
  }

  /** Tells of what was only counted, in hours that are over before an instant. */
  async flush(before: Date): Promise<void> {
    const over = [...this.#hours].filter(([, { from }]) => from + hourMs <= before.getTime())
    await Promise.all(over.map(([key, hour]) => this.#end(key, hour)))
  }

  #over(key: string, hour: Hour): void {
    void this.#end(key, hour)
  }

  /** Best effort: it must not change what the next one is given. */
  async #end(key: string, { last, more }: Hour): Promise<void> {
    this.#hours.delete(key)
    if (more === 0) return
    const { companyId, origin, at, entry } = last
    const counted = { ...entry, after: { ...entry.after, times: more } }
    await inTenant(this.#services.pool, companyId, ({ tx }) =>
      writeAudit(tx, companyId, { actor: { kind: 'guest' }, origin, at }, [counted]),
    ).catch((err: unknown) => this.#services.log.warn({ err }, 'openings of a document were not recorded'))
  }
}
