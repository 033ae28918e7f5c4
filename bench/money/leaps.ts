import { setTimeout as sleep } from 'node:timers/promises'

/** So often that a server which is killed all the time still comes to its jobs between two of them. */
const leapEveryMs = 8_000

/** Months go by in leaps, while nobody is paying: payers wait for the end of one. */
export class Leaps {
  #isOver = false
  #paying = 0
  #leap: Promise<void> | null = null

  readonly #done: Promise<void>

  constructor(leap: () => Promise<void>) {
    this.#done = this.#leapOften(leap)
  }

  async #leapOften(leap: () => Promise<void>): Promise<void> {
    for (let next = Date.now() + leapEveryMs; !this.#isOver; await sleep(100)) {
      if (Date.now() < next) continue
      next += leapEveryMs
      this.#leap = (async () => {
        while (this.#paying > 0) await sleep(20)
        await leap()
      })()
      await this.#leap
      this.#leap = null
    }
  }

  async betweenThem<T>(pay: () => Promise<T>): Promise<T> {
    while (this.#leap) await this.#leap
    this.#paying++
    try {
      return await pay()
    } finally {
      this.#paying--
    }
  }

  stop(): Promise<void> {
    this.#isOver = true
    return this.#done
  }
}
