import type { Pool } from '../db/pool.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors/app-error.ts'
import { isWellFormed, newApiKey } from './api-key-format.ts'
import type { Session } from './sessions.ts'
import { tokenHash } from './tokens.ts'

/** Stands in the place of a session where a key calls. Throws UNAUTHENTICATED, or KEY_EXPIRED for a secret that another one has followed. */
export async function keySession(pool: Pool, token: string, now: Date): Promise<Session> {
  if (!isWellFormed(token)) throw new AppError('UNAUTHENTICATED')
  const hash = tokenHash(token)
  const { rows } = await pool.query({
    name: 'find_api_key',
    text: 'select company_id, key_id, expires_at from api_key_secrets where secret_hash = $1',
    values: [hash],
  })
  const row = rows[0]
  if (!row) throw new AppError('UNAUTHENTICATED')
  if (row.expires_at && row.expires_at <= now) throw new AppError('KEY_EXPIRED')
  return {
    ...{ hash, identityId: `key ${row.company_id} ${row.key_id}`, companyId: row.company_id, userId: row.key_id },
    ...{ email: '', provedAt: new Date(0), scope: 'full', isKey: true },
    // No row of sessions is behind it, and calls that need a proof are closed to keys.
    ...{ id: '0', method: 'password' },
  }
}

/** Makes a secret for a key, which is kept nowhere; the ones before it end at `othersEnd`. As the login role. */
export async function addSecret(
  tx: Tx,
  { companyId, keyId, now, othersEnd }: { companyId: number; keyId: string; now: Date; othersEnd: Date },
): Promise<string> {
  const secret = newApiKey()
  const ofKey = tx.deleteFrom('api_key_secrets').where('company_id', '=', companyId).where('key_id', '=', keyId)
  // Long over: whoever still sends it learns no more than from an unknown one.
  await ofKey.where('expires_at', '<=', now).execute()
  await tx
    .updateTable('api_key_secrets')
    .set({ expires_at: othersEnd })
    .where('company_id', '=', companyId)
    .where('key_id', '=', keyId)
    .execute()
  const row = { secret_hash: tokenHash(secret), company_id: companyId, key_id: keyId, created_at: now }
  await tx.insertInto('api_key_secrets').values(row).execute()
  return secret
}

/** No key of the company has a secret any more. As the login role. */
export const deleteSecrets = (tx: Tx, companyId: number) =>
  tx.deleteFrom('api_key_secrets').where('company_id', '=', companyId).execute()
