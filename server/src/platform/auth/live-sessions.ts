import type { Pool } from '../db/pool.ts'

/** Which of these sessions (hashes of their tokens) still are, as hex. */
export async function livingSessions(pool: Pool, hashes: readonly Buffer[], now: Date): Promise<Set<string>> {
  const { rows } = await pool.query<{ hash: string }>(
    `select encode(token_hash, 'hex') as hash from sessions where token_hash = any($1::bytea[]) and expires_at > $2`,
    [hashes, now],
  )
  return new Set(rows.map((row) => row.hash))
}
