import type { Answered } from '../clock/database-clock.ts'
import type { Pool } from './pool.ts'

/** Asks the database for its time. Waiting for a connection is no part of the roundtrip. */
export const askTime =
  (pool: Pool) =>
  async (ticks: () => number): Promise<Answered> => {
    const client = await pool.connect()
    try {
      const asked = ticks()
      const { rows } = await client.query<{ at: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
      )
      const answered = ticks()
      if (!rows[0]) throw new Error('the database told no time')
      return { at: rows[0].at, asked, answered }
    } finally {
      client.release()
    }
  }
