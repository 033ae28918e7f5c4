/** The time a company may use at once, and the share of the event loop it has after that. */
const allowanceMs = 50
const share = 0.15
/** More than so many of a company's bodies wait for nothing: HTTP says so. */
const maxWaiting = 20

/** A body shorter than this costs too little to be counted. */
export const longBodyBytes = 65_536

/** A body that was parsed is checked and stored as well: all of it takes about so many times as long. */
const restOfBody = 4

/** Reading a long body costs a millisecond for so many bytes, before it is parsed. */
const bytesReadPerMs = 100_000

interface Account {
  /** The time that was used and is not worked off yet, as of `at`. */
  debtMs: number
  at: number
  waiting: (() => void)[]
}

/**
 * Paces what cannot be done in turns: parsing a long body holds the event loop for as long as it takes. A company that sends
 * one after the other uses 15 % of the loop; what it sends beyond that waits, in order, and holds nobody else up.
 */
export class Pace {
  readonly #accounts = new Map<number | null, Account>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Calls `go` at once, or when the company has worked off what it used, in the order asked. False: too many wait already. */
  when(company: number | null, go: () => void): boolean {
    const account = this.#accounts.get(company)
    if (!account || (account.waiting.length === 0 && this.#debtOf(account) <= allowanceMs)) {
      go()
      return true
    }
    if (account.waiting.length >= maxWaiting) return false
    account.waiting.push(go)
    if (account.waiting.length === 1) this.#letInLater(account)
    return true
  }

  /** Waits until a company's body of so many bytes may be read from its connection. False: too many wait already. */
  whenToRead(company: number | null, bytes: number, isGone: () => boolean): Promise<boolean> {
    if (bytes < longBodyBytes) return Promise.resolve(true)
    return new Promise((resolve) => {
      const isTaken = this.when(company, () => {
        if (!isGone()) this.read(company, bytes)
        resolve(true)
      })
      if (!isTaken) resolve(false)
    })
  }

  /** Runs the parsing of a company's long body, at once, and counts what it costs. */
  parse(company: number | null, work: () => void): void {
    const began = this.#now()
    try {
      work()
    } finally {
      this.spent(company, (this.#now() - began) * restOfBody)
    }
  }

  /** Counts the reading of so many bytes. */
  read(company: number | null, bytes: number): void {
    this.spent(company, bytes / bytesReadPerMs)
  }

  /** Counts what a company has used, ms. */
  spent(company: number | null, ms: number): void {
    const account = this.#accounts.get(company) ?? { debtMs: 0, at: this.#now(), waiting: [] }
    account.debtMs = this.#debtOf(account) + ms
    this.#accounts.delete(company)
    this.#accounts.set(company, account)
    this.#forget()
  }

  #debtOf(account: Account): number {
    const now = this.#now()
    account.debtMs = Math.max(0, account.debtMs - (now - account.at) * share)
    account.at = now
    return account.debtMs
  }

  #letInLater(account: Account): void {
    const excessMs = Math.max(0, this.#debtOf(account) - allowanceMs)
    setTimeout(
      () => {
        while (account.waiting.length > 0 && this.#debtOf(account) <= allowanceMs) account.waiting.shift()?.()
        if (account.waiting.length > 0) this.#letInLater(account)
      },
      Math.ceil(excessMs / share),
    )
  }

  // The first has spent nothing for longest.
  #forget(): void {
    const [oldest] = this.#accounts
    if (oldest && oldest[1].waiting.length === 0 && this.#debtOf(oldest[1]) === 0) this.#accounts.delete(oldest[0])
  }
}
