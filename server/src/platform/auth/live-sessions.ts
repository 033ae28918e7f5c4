import type { Pool } from '../db/pool.ts'
import { lives, livesAt, openerLives, openerText, type SessionLife } from './sessions.ts'

/** Which of these sessions (hashes of their tokens) still are, as hex. */
export async function livingSessions(
  pool: Pool,
  hashes: readonly Buffer[],
  now: Date,
  life: SessionLife,
): Promise<Set<string>> {
  const { rows } = await pool.query<{ hash: string }>(
    `select encode(s.token_hash, 'hex') as hash from sessions s ${openerText}
      where s.token_hash = any($1::bytea[]) and ${lives(2)} and ${openerLives(2)}`,
    [hashes, ...livesAt(now, life)],
  )
  return new Set(rows.map((row) => row.hash))
}
