/** What is wrong, and the request that shows it. */
export interface Fault {
  what: string
  index: number
  request: string
}

interface Slow {
  ms: number
  index: number
  origin: string
}

const shown = 60
const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => a.localeCompare(b))

/** Counts what was answered, and keeps what is wrong: each kind of fault once, with how often it came. */
export class Tally {
  readonly #byRole = new Map<string, Map<string, number>>()
  readonly #faults = new Map<string, { first: Fault; times: number }>()
  #slowest: Slow[] = []
  answered = 0

  count(role: string, status: number | string) {
    this.answered++
    const counts = this.#byRole.get(role) ?? new Map<string, number>()
    this.#byRole.set(role, counts.set(String(status), (counts.get(String(status)) ?? 0) + 1))
  }

  took(ms: number, index: number, origin: string) {
    if (this.#slowest.length === 10 && ms <= (this.#slowest.at(-1)?.ms ?? 0)) return
    this.#slowest = [...this.#slowest, { ms: Math.round(ms), index, origin }].sort((a, b) => b.ms - a.ms).slice(0, 10)
  }

  fault(fault: Fault, kind: string) {
    const known = this.#faults.get(kind)
    if (known) known.times++
    else {
      this.#faults.set(kind, { first: fault, times: 1 })
      if (this.#faults.size <= shown) console.error(`FAULT at ${fault.index}: ${fault.what}\n  <- ${fault.request}`)
    }
  }

  get slowest(): readonly Slow[] {
    return this.#slowest
  }

  get faults() {
    return [...this.#faults].map(([kind, { first, times }]) => ({ kind, times, ...first }))
  }

  share(status: string): number {
    const all = [...this.#byRole.values()].flatMap((counts) => [...counts])
    const of = all.filter(([each]) => each === status).reduce((sum, [, count]) => sum + count, 0)
    return of / Math.max(this.answered, 1)
  }

  print() {
    const statuses = [...new Set([...this.#byRole.values()].flatMap((counts) => [...counts.keys()]))].sort()
    console.table(
      Object.fromEntries(
        sorted(new Map([...this.#byRole.keys()].map((role) => [role, 0]))).map(([role]) => [
          role,
          Object.fromEntries(statuses.map((status) => [status, this.#byRole.get(role)?.get(status) ?? 0])),
        ]),
      ),
    )
    console.table(this.#slowest)
  }
}
