import { longBodyBytes } from '../../platform/loop/pace.ts'
import type { Gate } from './gate.ts'

/** So many long messages of a company wait; more are refused. */
const maxWaiting = 20
/** About so many bytes of a long message are one reading. */
const bytesOfReading = 100

/**
 * Long messages that wait for room in the gate as the bytes that came. Decoded they take some fifteen times as much memory, which a company that sends
 * one after the other would fill, and the collector would hold everybody up with it.
 */
export class LongMessages {
  readonly #gate: Gate
  readonly #waitingOf = new Map<number | null, number>()

  constructor(gate: Gate) {
    this.#gate = gate
  }

  /**
   * Calls `go` at once for a short message, and for a long one as soon as there is room for its readings, which it keeps until `leave` is called. False: too
   * many wait already.
   */
  whenRoom(company: number | null, bytes: number, go: (leave: () => void) => void): boolean {
    if (bytes < longBodyBytes) {
      go(() => {})
      return true
    }
    const waiting = this.#waitingOf.get(company) ?? 0
    if (waiting >= maxWaiting) return false
    this.#waitingOf.set(company, waiting + 1)
    this.#gate.whenRoom(company, () => {
      const left = (this.#waitingOf.get(company) ?? 1) - 1
      if (left > 0) this.#waitingOf.set(company, left)
      else this.#waitingOf.delete(company)
      const readings = Math.ceil(bytes / bytesOfReading)
      this.#gate.enter(company, readings)
      go(() => this.#gate.leave(company, readings))
    })
    return true
  }
}
