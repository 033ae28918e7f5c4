import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'

const count = 10
// Crockford's: without I, L, O and U. Each sign is 5 bits, so 24 are 120.
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 24

const newCode = () => Array.from(randomBytes(length), (byte) => signs[byte & 31]).join('')
/** In groups of four, as people copy it. */
const written = (code: string) => code.replace(/(.{4})(?!$)/g, '$1-')
const read = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
// 120 random bits: a plain hash is enough.
const hashOf = (text: string) =>
  createHash('sha256')
    .update(`recovery:${read(text)}`)
    .digest()

/** Makes ten codes in the place of those before, and returns them: they are kept nowhere. As the login role. */
export async function makeRecoveryCodes(tx: Tx, identityId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, () => written(newCode()))
  await deleteRecoveryCodes(tx, identityId)
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ identity_id: identityId, code_hash: hashOf(code) })))
    .execute()
  return codes
}

/** Uses a code up: true for one caller only. As the login role. */
export async function useRecoveryCode(tx: Tx, identityId: string, code: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('identity_id', '=', identityId)
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** How many codes are left. As the login role. */
export async function recoveryCodesLeft(tx: Tx, identityId: string): Promise<number> {
  const rows = await tx
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('identity_id', '=', identityId)
    .where('used_at', 'is', null)
    .execute()
  return rows.length
}

/** As the login role. */
export const deleteRecoveryCodes = (tx: Tx, identityId: string) =>
  tx.deleteFrom('recovery_codes').where('identity_id', '=', identityId).execute()
