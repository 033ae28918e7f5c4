import { LimitStore } from '../../platform/http/limit-store.ts'

const windowMs = 60_000
const allowed = 10
const maxRemembered = 50_000

/**
 * Counts wrong secrets by address and IMEI, and those of any IMEI by address. Guessing is hopeless (a secret has 128 random bits
 * or more); this keeps a tracker with a wrong one, or somebody who makes IMEIs up, from asking the database all day.
 */
export class Refusals {
  readonly #perAddress: number
  readonly counters = new LimitStore(maxRemembered)

  constructor(perAddress: number) {
    this.#perAddress = perAddress
  }

  /** True where so many were wrong within a minute that there is no need to look. Give null for the address of a proxy. */
  isBlocked(address: string | null, imei: string, now: number): boolean {
    return this.#keysOf(address, imei).some(([key, most]) => this.counters.read(key, now).current >= most)
  }

  count(address: string | null, imei: string, now: number): void {
    for (const [key] of this.#keysOf(address, imei)) this.counters.take(key, windowMs, now)
  }

  #keysOf(address: string | null, imei: string): [key: string, most: number][] {
    const both: [string, number] = [`${address} ${imei}`, allowed]
    return address === null ? [both] : [[address, this.#perAddress], both]
  }
}
