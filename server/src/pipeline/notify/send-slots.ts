import { maxConcurrentSends, type OutboundMessage } from './deliver.ts'

// One company may use at most 6 (and 3 more that are taken at once) of the 10 send slots, so it cannot starve others.
const maxOfCompany = 6
const maxTaken = 3

/** The slots of a channel that are taken: the messages under way. */
export class SendSlots {
  readonly #taken = new Set<string>()
  readonly #byCompany = new Map<number, number>()

  /** How many more may be taken at once. */
  get free(): number {
    return Math.min(maxTaken, maxConcurrentSends - this.#taken.size)
  }

  /** The companies that have their share. */
  get full(): number[] {
    return [...this.#byCompany].flatMap(([companyId, count]) => (count >= maxOfCompany ? companyId : []))
  }

  /** False where that message is under way already. */
  take({ companyId, id }: Pick<OutboundMessage, 'companyId' | 'id'>): boolean {
    const key = `${companyId} ${id}`
    if (this.#taken.has(key)) return false
    this.#taken.add(key)
    this.#byCompany.set(companyId, (this.#byCompany.get(companyId) ?? 0) + 1)
    return true
  }

  leave({ companyId, id }: Pick<OutboundMessage, 'companyId' | 'id'>): void {
    if (!this.#taken.delete(`${companyId} ${id}`)) return
    const left = (this.#byCompany.get(companyId) ?? 0) - 1
    if (left > 0) this.#byCompany.set(companyId, left)
    else this.#byCompany.delete(companyId)
  }
}
