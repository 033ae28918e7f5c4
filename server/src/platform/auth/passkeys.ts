import { randomBytes } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'

// Tenantless, so every function here runs as the login role.

export interface Passkey {
  id: string
  identityId: string
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  /** The host that it was made for. */
  host: string
  name: string
  isSynced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

const select = (tx: Tx) =>
  tx
    .selectFrom('passkeys')
    .select([
      'id',
      'identity_id as identityId',
      'credential_id as credentialId',
      'public_key as publicKey',
      'counter',
      'transports',
      'host',
      'name',
      'is_synced as isSynced',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])

const withNumber = ({ counter, ...row }: Omit<Passkey, 'counter'> & { counter: string }): Passkey => ({
  ...row,
  counter: Number(counter),
})

export const passkeysOf = async (tx: Tx, identityId: string): Promise<Passkey[]> =>
  (await select(tx).where('identity_id', '=', identityId).orderBy('id').execute()).map(withNumber)

export async function passkeyByCredential(tx: Tx, credentialId: string): Promise<Passkey | undefined> {
  const row = await select(tx).where('credential_id', '=', credentialId).executeTakeFirst()
  return row && withNumber(row)
}

/** The random name by which passkeys know the person; made the first time. */
export async function passkeyHandle(tx: Tx, identityId: string): Promise<Buffer> {
  const { handle } = await tx
    .updateTable('identities')
    .set(({ fn, val }) => ({ passkey_handle: fn.coalesce('passkey_handle', val(randomBytes(16))) }))
    .where('id', '=', identityId)
    .returning('passkey_handle as handle')
    .executeTakeFirstOrThrow()
  if (!handle) throw new Error('no handle')
  return handle
}

/** Undefined where the same passkey is kept already, whosever it is. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt'> & { now: Date },
): Promise<Passkey | undefined> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      identity_id: passkey.identityId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: String(passkey.counter),
      transports: passkey.transports,
      host: passkey.host,
      name: passkey.name,
      is_synced: passkey.isSynced,
      created_at: passkey.now,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row && { ...passkey, id: row.id, createdAt: passkey.now, lastUsedAt: null }
}

/** Notes a use; false where its counter did not move on: a copy of it may be about. Those that count nothing stay at 0. */
export async function notePasskeyUse(tx: Tx, id: string, counter: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter: String(counter), last_used_at: now })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('counter', '<', String(counter)), row.and([row('counter', '=', '0'), row.val(counter === 0)])]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renamePasskey(tx: Tx, identityId: string, id: string, name: string): Promise<void> {
  await tx.updateTable('passkeys').set({ name }).where('identity_id', '=', identityId).where('id', '=', id).execute()
}

export async function deletePasskeys(tx: Tx, identityId: string, id?: string): Promise<void> {
  let query = tx.deleteFrom('passkeys').where('identity_id', '=', identityId)
  if (id !== undefined) query = query.where('id', '=', id)
  await query.execute()
}
