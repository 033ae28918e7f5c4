const windowMs = 60_000
const allowed = 10
const maxRemembered = 50_000

/**
 * Counts wrong secrets by address and IMEI. Guessing is hopeless (a secret has 128 random bits or more); this keeps a
 * tracker with a wrong one from asking the database all day.
 */
export class Refusals {
  #since = 0
  readonly #counts = new Map<string, number>()

  /** True where so many were wrong within a minute that there is no need to look. */
  isBlocked(address: string, imei: string, now: number): boolean {
    this.#forgetOld(now)
    return (this.#counts.get(`${address} ${imei}`) ?? 0) >= allowed
  }

  count(address: string, imei: string): void {
    if (this.#counts.size >= maxRemembered) this.#counts.clear()
    const key = `${address} ${imei}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  #forgetOld(now: number) {
    if (now - this.#since < windowMs && now >= this.#since) return
    this.#since = now
    this.#counts.clear()
  }
}
