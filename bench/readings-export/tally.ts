import { intervalMs } from '../pipeline/readings.ts'

/** Counts how often each reading came, by device and place in time: readings lie on a grid from an instant on. */
export class Tally {
  readonly #firstAt: number
  readonly #counts = new Map<string, Uint8Array>()
  total = 0
  twice = 0
  unknown = 0

  constructor(firstAt: number) {
    this.#firstAt = firstAt
  }

  note(deviceId: string, atMs: number): void {
    const place = (atMs - this.#firstAt) / intervalMs
    if (!Number.isInteger(place) || place < 0 || place > 1_000_000) {
      this.unknown++
      return
    }
    let counts = this.#counts.get(deviceId) ?? new Uint8Array(1_024)
    if (place >= counts.length) {
      const longer = new Uint8Array(2 ** Math.ceil(Math.log2(place + 1)))
      longer.set(counts)
      counts = longer
    }
    this.#counts.set(deviceId, counts)
    this.total++
    if ((counts[place] ?? 0) > 0) this.twice++
    counts[place] = 1
  }
}
