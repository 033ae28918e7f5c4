import { locksOfAll } from '../../platform/db/advisory-locks.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asLogin } from '../../platform/db/transaction.ts'

// Servers that start together must agree on one number.

const monthOf = (at: number) => {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
const startOf = (month: number) => new Date(Date.UTC(Math.floor(month / 12), month % 12)).toISOString()
const nameOf = (month: number) => `readings_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`

/** The monthly partitions of table readings: made before the first row of a month is inserted. */
export class Partitions {
  readonly #pool: Pool
  readonly #known = new Set<number>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Makes those that the instants need and that are missing. Call it outside a transaction on readings. */
  async ensure(instants: Iterable<number>): Promise<void> {
    const missing = new Set<number>()
    for (const at of instants) {
      const month = monthOf(at)
      if (!this.#known.has(month)) missing.add(month)
    }
    for (const month of [...missing].sort((a, b) => a - b)) await this.#make(month)
  }

  /** Asks the database for each anew. */
  forget(): void {
    this.#known.clear()
  }

  async #make(month: number) {
    await asLogin(this.#pool, async ({ client }) => {
      await client.query('select pg_advisory_xact_lock($1)', [locksOfAll.partitions])
      const { rows } = await client.query('select to_regclass($1) is not null as made', [nameOf(month)])
      if (rows[0]?.made) return
      // Made first and attached then: that does not wait for the readers of the other partitions.
      await client.query(`create table ${nameOf(month)} (like readings including all)`)
      await client.query(
        `alter table readings attach partition ${nameOf(month)} for values from ('${startOf(month)}') to ('${startOf(month + 1)}')`,
      )
    })
    this.#known.add(month)
  }
}
