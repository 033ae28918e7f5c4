import type { Pool } from '../db/pool.ts'
import type { Tx } from '../db/transaction.ts'
import { newToken, tokenHash } from './tokens.ts'

export type ChallengePurpose = 'secondFactor' | 'passkey' | 'sso'

export interface LoginChallenge {
  identityId: string | null
  details: unknown
}

/** Five tries, as with a card's code: six digits are not guessed in five. */
const maxAttempts = 5

/** Keeps a login that waits for something more, and returns its token, which is kept nowhere. As the login role. */
export async function beginChallenge(
  tx: Tx,
  purpose: ChallengePurpose,
  about: { identityId: string | null; details: object; now: Date; lastsMs: number },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken()
  const expiresAt = new Date(about.now.getTime() + about.lastsMs)
  await tx
    .insertInto('login_challenges')
    .values({
      token_hash: tokenHash(token),
      purpose,
      identity_id: about.identityId,
      details: JSON.stringify(about.details),
      created_at: about.now,
      expires_at: expiresAt,
    })
    .execute()
  return { token, expiresAt }
}

/**
 * Counts a try at a challenge and returns it; undefined where it is unknown, over or was tried five times. By itself, outside the transaction of the
 * call: a try counts also where the call fails.
 */
export async function tryChallenge(
  pool: Pool,
  purpose: ChallengePurpose,
  token: string,
  now: Date,
): Promise<LoginChallenge | undefined> {
  const { rows } = await pool.query(
    `update login_challenges set attempts = attempts + 1
      where token_hash = $1 and purpose = $2 and expires_at > $3 and attempts < $4
      returning identity_id as "identityId", details`,
    [tokenHash(token), purpose, now, maxAttempts],
  )
  return rows[0]
}

/** Uses a challenge up and returns it, for what may be tried once; undefined where it is unknown, over or was used. By itself, likewise. */
export async function takeChallenge(
  pool: Pool,
  purpose: ChallengePurpose,
  token: string,
  now: Date,
): Promise<LoginChallenge | undefined> {
  const { rows } = await pool.query(
    `delete from login_challenges where token_hash = $1 and purpose = $2 and expires_at > $3
      returning identity_id as "identityId", details`,
    [tokenHash(token), purpose, now],
  )
  return rows[0]
}

/** Uses a challenge up: true for one caller only. As the login role. */
export async function endChallenge(tx: Tx, purpose: ChallengePurpose, token: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_challenges')
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes the challenges that are over; answers how many. */
export async function forgetChallenges(pool: Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query('delete from login_challenges where expires_at <= $1', [now])
  return rowCount ?? 0
}
