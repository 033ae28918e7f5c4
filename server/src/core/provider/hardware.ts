import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../platform/db/transaction.ts'
import { noteTrackers } from '../devices/settings-changes.ts'
import { claimHash } from './claim-codes.ts'

export interface Hardware {
  imei: string
  type: string
  probes: number
}

/** The secret a tracker proves itself with: 160 random bits. It is kept only as its hash. */
export const newDeviceSecret = (): string => randomBytes(20).toString('base64url')
export const deviceSecretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Hardware in stock as a claim must know it. */
export interface StoredHardware extends Hardware {
  /** Null where no label was ever printed. */
  claimHash: Buffer | null
  /** The company that has it, or had it last. */
  ownerId: number | null
}

/** The hardware with these IMEIs, by IMEI; locked, always in the same order, until the transaction ends. As the login role. */
export async function lockHardware(tx: Tx, imeis: string[]): Promise<Map<string, StoredHardware>> {
  if (imeis.length === 0) return new Map()
  const rows = await tx
    .selectFrom('hardware')
    .select(['imei', 'type', 'probes', 'claim_hash as claimHash', 'owner_id as ownerId'])
    .where('imei', 'in', imeis)
    .orderBy('imei')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.imei, row]))
}

/** Notes which company has hardware from now on. As the login role. */
export async function setOwner(tx: Tx, imeis: string[], companyId: number): Promise<void> {
  if (imeis.length === 0) return
  await tx.updateTable('hardware').set({ owner_id: companyId }).where('imei', 'in', imeis).execute()
}

/** Gives hardware another secret and returns it: the only time it is seen. As the login role. */
export async function changeSecret(tx: Tx, imei: string): Promise<string> {
  const secret = newDeviceSecret()
  await tx
    .updateTable('hardware')
    .set({ secret_hash: deviceSecretHash(secret) })
    .where('imei', '=', imei)
    .execute()
  await noteTrackers(tx, [imei])
  return secret
}

/** Takes hardware into stock; a known IMEI gets the new type, probes and secret. As the login role. */
export async function stockHardware(tx: Tx, { imei, type, probes }: Hardware, secret: string): Promise<void> {
  const values = { type, probes, secret_hash: deviceSecretHash(secret) }
  await tx
    .insertInto('hardware')
    .values({ imei, ...values })
    .onConflict((conflict) => conflict.column('imei').doUpdateSet(values))
    .execute()
  await noteTrackers(tx, [imei])
}

/** Takes hardware out of the stock for good. As the login role. */
export async function removeHardware(tx: Tx, imei: string): Promise<void> {
  await tx.deleteFrom('hardware').where('imei', '=', imei).execute()
  await noteTrackers(tx, [imei])
}

/** Sets the code on the label of hardware: one of before is void. As the login role. */
export async function setClaimCode(tx: Tx, imei: string, code: string): Promise<void> {
  await tx
    .updateTable('hardware')
    .set({ claim_hash: claimHash(imei, code) })
    .where('imei', '=', imei)
    .execute()
}
