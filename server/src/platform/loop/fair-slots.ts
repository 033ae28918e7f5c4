interface Group {
  waiting: (() => void)[]
  running: number
  /** Nothing of the group begins before, on the clock of `performance.now()`. */
  restsUntil: number
}

/** Groups that rest and have nothing that waits are forgotten after their rest, once there are so many. */
const maxRemembered = 1_000

/**
 * Runs work that takes a processor for long at most `slots` at once. Groups of it (the networks that logins come from) take turns: however many of
 * one group wait, one of another group waits for no more than what runs. After each piece the group rests for as long as `restOf` says; the others do not.
 */
export class FairSlots {
  readonly #slots: number
  readonly #restOf: (tookMs: number) => number
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group>()
  #running = 0
  #timer: NodeJS.Timeout | undefined

  constructor(slots: number, restOf: (tookMs: number) => number) {
    this.#slots = slots
    this.#restOf = restOf
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const group = this.#groupOf(name)
    await new Promise<void>((begin) => {
      group.waiting.push(begin)
      this.#letIn()
    })
    const begunAt = performance.now()
    try {
      return await work()
    } finally {
      const now = performance.now()
      group.restsUntil = now + this.#restOf(now - begunAt)
      group.running--
      this.#running--
      this.#putLast(name, group)
      this.#letIn()
    }
  }

  /** The group's next turn comes after those of all others. */
  #putLast(name: string, group: Group): void {
    this.#groups.delete(name)
    this.#groups.set(name, group)
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name)
    if (known) return known
    if (this.#groups.size >= maxRemembered) this.#forget()
    const made = { waiting: [], running: 0, restsUntil: 0 }
    this.#groups.set(name, made)
    return made
  }

  #forget(): void {
    const now = performance.now()
    for (const [name, { waiting, running, restsUntil }] of this.#groups)
      if (waiting.length === 0 && running === 0 && restsUntil <= now) this.#groups.delete(name)
  }

  #letIn(): void {
    clearTimeout(this.#timer)
    const now = performance.now()
    for (const [name, group] of this.#groups) {
      if (this.#running >= this.#slots) return
      if (group.waiting.length === 0 || group.restsUntil > now) continue
      // The loop meets it again there, where slots are left.
      this.#putLast(name, group)
      this.#running++
      group.running++
      group.waiting.shift()?.()
    }
    const rests = [...this.#groups.values()].flatMap(({ waiting, restsUntil }) =>
      waiting.length > 0 ? [restsUntil] : [],
    )
    if (rests.length > 0) this.#timer = setTimeout(() => this.#letIn(), Math.max(1, Math.min(...rests) - now))
  }
}
