const windowMs = 60_000
const allowed = 10
const maxRemembered = 50_000

/**
 * Counts wrong secrets by address and IMEI, and those of any IMEI by address. Guessing is hopeless (a secret has 128 random bits
 * or more); this keeps a tracker with a wrong one, or somebody who makes IMEIs up, from asking the database all day.
 */
export class Refusals {
  readonly #perAddress: number
  #since = 0
  readonly #counts = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()

  constructor(perAddress: number) {
    this.#perAddress = perAddress
  }

  /** True where so many were wrong within a minute that there is no need to look. Give null for the address of a proxy. */
  isBlocked(address: string | null, imei: string, now: number): boolean {
    this.#forgetOld(now)
    if (address !== null && (this.#byAddress.get(address) ?? 0) >= this.#perAddress) return true
    return (this.#counts.get(`${address} ${imei}`) ?? 0) >= allowed
  }

  count(address: string | null, imei: string): void {
    add(this.#counts, `${address} ${imei}`)
    if (address !== null) add(this.#byAddress, address)
  }

  #forgetOld(now: number) {
    if (now - this.#since < windowMs && now >= this.#since) return
    this.#since = now
    this.#counts.clear()
    this.#byAddress.clear()
  }
}

function add(counts: Map<string, number>, key: string) {
  // Beyond the bound only the oldest is forgotten: a client that fills the memory with made-up keys does not wipe its own count.
  const [oldest] = counts.size >= maxRemembered && !counts.has(key) ? counts.keys() : []
  if (oldest !== undefined) counts.delete(oldest)
  const count = counts.get(key) ?? 0
  counts.delete(key)
  counts.set(key, count + 1)
}
