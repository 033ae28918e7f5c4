import type { Part } from './batch.ts'

/** However many companies wait, each gets so many rows into a batch. */
const leastShare = 1_000
/** A company of which no more waits is stored apart from those of which more does. */
const fewRows = 500

/** Nobody's trackers take turns as one company. */
const companyOf = ({ tracker }: Part) => tracker.owner ?? 0

/** The parts that wait for a lane: each company's in the order they came, the companies in turns. */
export class WaitingParts {
  // The companies in the order of their turns.
  readonly #byCompany = new Map<number, Part[]>()
  #wereFew = false

  get isEmpty(): boolean {
    return this.#byCompany.size === 0
  }

  add(part: Part): void {
    const company = companyOf(part)
    const own = this.#byCompany.get(company)
    if (own) own.push(part)
    else this.#byCompany.set(company, [part])
  }

  /**
   * Takes the parts of a batch of about `most` rows. Where several companies wait, each has an even share of it, and those of which
   * little waits take turns with those of which much does: late rows by the thousand take seconds, and a reading waits for one such batch
   * at most.
   */
  take(most: number): Part[] {
    const companies = this.#nextCompanies()
    const share = Math.max(leastShare, Math.floor(most / companies.length))
    const taken: Part[] = []
    let rows = 0
    for (const [company, parts] of companies) {
      if (rows >= most) break
      const own = takeRows(parts, Math.min(share, most - rows))
      rows += own.rows
      taken.push(...own.parts)
      // A company that had its turn comes after those that had not.
      this.#byCompany.delete(company)
      if (parts.length > 0) this.#byCompany.set(company, parts)
    }
    return taken
  }

  #nextCompanies(): [number, Part[]][] {
    const all = [...this.#byCompany]
    const few = all.filter(([, parts]) => isFew(parts))
    if (few.length === 0 || few.length === all.length) return all
    this.#wereFew = !this.#wereFew
    return this.#wereFew ? few : all.filter(([, parts]) => !isFew(parts))
  }
}

function isFew(parts: readonly Part[]): boolean {
  let rows = 0
  for (const part of parts) {
    rows += rowsOf(part)
    if (rows > fewRows) return false
  }
  return true
}

const rowsOf = ({ rows, refused }: Part) => rows.length + refused.length

/** Takes parts from the front of a list until they have so many rows; one at least. */
function takeRows(parts: Part[], most: number): { parts: Part[]; rows: number } {
  let [rows, count] = [0, 0]
  while (count < parts.length && (count === 0 || rows < most)) {
    const part = parts[count++]
    if (part) rows += rowsOf(part)
  }
  return { parts: parts.splice(0, count), rows }
}
