import { sql } from 'kysely'
import { firstRow } from '../db/rows.ts'
import type { Tx } from '../db/transaction.ts'

/** A call with a key: whose it is, and what it asks for. */
export interface Keyed {
  companyId: number
  userId: string
  keyHash: Buffer
  /** As in `POST /wallet/sms/purchase`. */
  call: string
  fingerprint: Buffer
  /** A hash of all that its caller may do now. */
  rights: string
}

const lockMs = 5_000

/** Says that a call is at work on its key; false where another one is, or was. One that was cut off before `cutOff` is none. */
export async function claimKey(tx: Tx, keyed: Keyed, now: Date, cutOff: Date): Promise<boolean> {
  const { companyId, userId, keyHash, call, fingerprint } = keyed
  await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx)
  const claimed = await firstRow<object>(tx)`
    insert into idempotency_keys (company_id, user_id, key_hash, call, fingerprint, created_at)
    values (${companyId}, ${userId}, ${keyHash}, ${call}, ${fingerprint}, ${now})
    on conflict (company_id, user_id, key_hash) do update set created_at = excluded.created_at
    where idempotency_keys.answer is null and idempotency_keys.created_at < ${cutOff}
      and idempotency_keys.fingerprint = excluded.fingerprint
    returning company_id`
  await sql`set local lock_timeout = 0`.execute(tx)
  return claimed !== undefined
}

const ofKey = ({ companyId, userId, keyHash }: Keyed) =>
  sql`company_id = ${companyId} and user_id = ${userId} and key_hash = ${keyHash}`

export const findKey = (tx: Tx, keyed: Keyed) =>
  firstRow<{ fingerprint: Buffer; answer: object | null }>(tx)`
    select fingerprint, answer from idempotency_keys where ${ofKey(keyed)}`

export async function keepAnswer(tx: Tx, keyed: Keyed, answer: object): Promise<void> {
  await sql`update idempotency_keys set answer = ${JSON.stringify(answer)} where ${ofKey(keyed)}`.execute(tx)
}

export async function giveBackKey(tx: Tx, keyed: Keyed): Promise<void> {
  await sql`delete from idempotency_keys where ${ofKey(keyed)} and answer is null`.execute(tx)
}

/** Forgets the keys of calls before an instant. As pipeline. */
export const forgetKeysBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
