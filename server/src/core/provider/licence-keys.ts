import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../platform/db/transaction.ts'

// Crockford's base32: no I, L, O, U. 16 signs are 80 bits.
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** A new key, `ISO-XXXX-XXXX-XXXX-XXXX`: 80 random bits. It is kept nowhere. */
export function newKey(): string {
  const code = Array.from(randomBytes(length), (byte) => signs[byte % signs.length]).join('')
  return `ISO-${code.match(/.{4}/g)?.join('-')}`
}

/** A key as people type it: any case, any separators, O for 0, I and L for 1. */
export const normalizeKey = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/^ISO(?=.{16}$)/, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')

/** The stored form of a key. A plain hash is enough for 80 random bits. */
export const keyHash = (text: string): Buffer =>
  createHash('sha256')
    .update(`licence:${normalizeKey(text)}`)
    .digest()

export interface LicenceKey {
  hash: Buffer
  /** The last four signs, to tell keys apart. */
  hint: string
  devices: number
  months: number
  planId: number | null
  issuedAt: Date
  companyId: number | null
}

const columns = [
  'key_hash as hash',
  'hint',
  'devices',
  'months',
  'plan_id as planId',
  'issued_at as issuedAt',
  'company_id as companyId',
] as const

/** Makes keys and returns them: the only time they are seen. As the login role. */
export async function issueKeys(
  tx: Tx,
  about: { devices: number; months: number; count: number; planId?: number | null; now: Date },
): Promise<string[]> {
  const keys = Array.from({ length: about.count }, newKey)
  await tx
    .insertInto('licence_keys')
    .values(
      keys.map((key) => ({
        key_hash: keyHash(key),
        hint: key.slice(-4),
        devices: about.devices,
        months: about.months,
        plan_id: about.planId ?? null,
        issued_at: about.now,
      })),
    )
    .execute()
  return keys
}

/** A key by its text; locked, where asked, until the transaction ends. As the login role. */
export async function findKey(tx: Tx, text: string, { lock = false } = {}): Promise<LicenceKey | undefined> {
  let query = tx.selectFrom('licence_keys').select(columns).where('key_hash', '=', keyHash(text))
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

/** For how many months a key that was taken is good. As the login role. */
export async function monthsOf(tx: Tx, hash: Buffer): Promise<number> {
  const { months } = await tx
    .selectFrom('licence_keys')
    .select('months')
    .where('key_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return months
}

/** Binds a key to a company, for good. As the login role. */
export async function takeKey(tx: Tx, key: LicenceKey, companyId: number, now: Date): Promise<void> {
  await tx
    .updateTable('licence_keys')
    .set({ company_id: companyId, claimed_at: now })
    .where('key_hash', '=', key.hash)
    .execute()
}

export interface KeyItem {
  hint: string
  devices: number
  months: number
  issuedAt: Date
  claimedAt: Date | null
  companyId: number | null
}

/** All keys ever issued, newest first. As the login role. */
export const listKeys = (tx: Tx): Promise<KeyItem[]> =>
  tx
    .selectFrom('licence_keys')
    .select([
      'hint',
      'devices',
      'months',
      'issued_at as issuedAt',
      'claimed_at as claimedAt',
      'company_id as companyId',
    ])
    .orderBy('issued_at', 'desc')
    .orderBy('hint')
    .execute()
