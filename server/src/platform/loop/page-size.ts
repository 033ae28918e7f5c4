const [least, first, most] = [10, 50, 200]
/** A page that took longer is followed by a smaller one, one that was much quicker by a larger one. */
const longMs = 20
const quickMs = 5

/**
 * How many rows long work reads at once, where one row may be 100 bytes long and another 60 KB: the driver parses a page in a row, and everybody
 * else's answers wait meanwhile.
 */
export class PageSize {
  #rows = first

  get rows(): number {
    return this.#rows
  }

  /** The last page took so long. */
  took(ms: number): void {
    if (ms > longMs) this.#rows = Math.max(least, Math.floor(this.#rows / 2))
    else if (ms < quickMs) this.#rows = Math.min(most, this.#rows * 2)
  }
}
