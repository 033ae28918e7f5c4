import { maxAheadMs } from '../../domain/alarm-silence.ts'

/** When a reading was measured by the device's clock, and when it arrived; ms since 1970. */
export interface Arrival {
  at: number
  receivedAt: number
}

/**
 * Finds readings of a clock that was wrong: they were ahead of their arrival, and afterwards one arrived in time that was measured
 * before them. Nobody knows when they were measured, so nothing that is measured until their time may be judged by them.
 */
export class DisprovedReadings {
  /** The latest arrival among the readings so far that were not ahead. */
  #arrivedAt = Number.NEGATIVE_INFINITY
  #before = Number.NEGATIVE_INFINITY
  readonly #stretches: { after: number; to: number }[] = []

  /** The readings of the next part of a device's past, in the order of time, without disproved ones. */
  leftOut<T extends Arrival>(rows: readonly T[]): T[] {
    return rows.filter((row) => !this.#isDisproved(row))
  }

  /** Whether what began at an instant began with a disproved reading. */
  hasBegun(at: number): boolean {
    return this.#stretches.some(({ after, to }) => at > after && at <= to)
  }

  #isDisproved({ at, receivedAt }: Arrival): boolean {
    const isAhead = at > receivedAt + maxAheadMs
    const isDisproved = isAhead && this.#arrivedAt > receivedAt
    if (isDisproved) this.#stretches.push({ after: this.#before, to: at })
    if (!isAhead) this.#arrivedAt = Math.max(this.#arrivedAt, receivedAt)
    this.#before = at
    return isDisproved
  }
}
