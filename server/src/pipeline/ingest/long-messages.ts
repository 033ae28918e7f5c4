/** So many long messages of a company wait; more are refused. */
const maxWaiting = 20

/**
 * The long messages of a company go on one at a time; the others wait as the bytes that came. Decoded they take some fifteen times as much memory, which a
 * company that sends one after the other would fill, and the collector would hold everybody up with it.
 */
export class LongMessages {
  readonly #waitingOf = new Map<number | null, (() => void)[]>()

  /** Calls `go` at once, or when those before it called `next`, in the order asked. False: too many wait already. */
  inTurn(company: number | null, go: (next: () => void) => void): boolean {
    const begin = () => go(() => this.#next(company))
    const waiting = this.#waitingOf.get(company)
    if (!waiting) {
      this.#waitingOf.set(company, [])
      begin()
      return true
    }
    if (waiting.length >= maxWaiting) return false
    waiting.push(begin)
    return true
  }

  #next(company: number | null): void {
    const begin = this.#waitingOf.get(company)?.shift()
    if (begin) begin()
    else this.#waitingOf.delete(company)
  }
}
