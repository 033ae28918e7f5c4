/** Whatever others have waiting, this share of the bound is each company's own. */
const ownShare = 1 / 50

/**
 * Bounds what waits in memory: HTTP asks `isFullFor` and answers 503, MQTT awaits `whenRoom` and so delays its PUBACK. A company
 * that fills it all keeps no other out: each has room of its own, until twice the bound waits.
 */
export class Gate {
  readonly #max: number
  #isShut = false
  #waiting = 0
  readonly #waitingOf = new Map<number | null, number>()
  readonly #held = new Map<number | null, (() => void)[]>()

  constructor(max: number) {
    this.#max = max
  }

  get waiting(): number {
    return this.#waiting
  }

  /** `company`: who has the tracker; null: nobody. */
  isFullFor(company: number | null): boolean {
    if (this.#isShut) return true
    if (this.#waiting < this.#max) return false
    return this.#waiting >= 2 * this.#max || (this.#waitingOf.get(company) ?? 0) >= Math.floor(this.#max * ownShare)
  }

  /** Lets nobody in, or again whoever there is room for. What entered before goes on. */
  shut(isShut: boolean): void {
    this.#isShut = isShut
    this.#letIn()
  }

  enter(company: number | null, readings: number): void {
    this.#waiting += readings
    this.#waitingOf.set(company, (this.#waitingOf.get(company) ?? 0) + readings)
  }

  leave(company: number | null, readings: number): void {
    this.#waiting -= readings
    const left = (this.#waitingOf.get(company) ?? 0) - readings
    if (left > 0) this.#waitingOf.set(company, left)
    else this.#waitingOf.delete(company)
    this.#letIn()
  }

  /** Calls `go` at once where there is room, else when there is, in the order a company asked. `go` must enter. */
  whenRoom(company: number | null, go: () => void): void {
    const held = this.#held.get(company)
    if (held) held.push(go)
    else if (this.isFullFor(company)) this.#held.set(company, [go])
    else go()
  }

  // One of each company, round after round.
  #letIn() {
    for (let isAny = this.#held.size > 0; isAny; ) {
      isAny = false
      for (const [company, held] of [...this.#held]) {
        if (this.isFullFor(company)) continue
        const go = held.shift()
        if (held.length === 0) this.#held.delete(company)
        go?.()
        isAny = true
      }
    }
  }
}
