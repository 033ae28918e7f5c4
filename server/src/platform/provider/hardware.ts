import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'

export interface Hardware {
  imei: string
  type: string
  probes: number
}

/** The secret a tracker proves itself with: 160 random bits. It is kept only as its hash. */
export const newDeviceSecret = (): string => randomBytes(20).toString('base64url')
export const deviceSecretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** A piece of hardware by IMEI; locked, where asked, until the transaction ends. As the login role. */
export async function findHardware(tx: Tx, imei: string, { lock = false } = {}): Promise<Hardware | undefined> {
  let query = tx.selectFrom('hardware').select(['imei', 'type', 'probes']).where('imei', '=', imei)
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

/** The hardware with these IMEIs, by IMEI; locked, always in the same order, until the transaction ends. As the login role. */
export async function lockHardware(tx: Tx, imeis: string[]): Promise<Map<string, Hardware>> {
  if (imeis.length === 0) return new Map()
  const rows = await tx
    .selectFrom('hardware')
    .select(['imei', 'type', 'probes'])
    .where('imei', 'in', imeis)
    .orderBy('imei')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.imei, row]))
}

/** Takes hardware into stock; a known IMEI gets the new type, probes and secret. As the login role. */
export async function stockHardware(tx: Tx, { imei, type, probes }: Hardware, secret: string): Promise<void> {
  const values = { type, probes, secret_hash: deviceSecretHash(secret) }
  await tx
    .insertInto('hardware')
    .values({ imei, ...values })
    .onConflict((conflict) => conflict.column('imei').doUpdateSet(values))
    .execute()
}

/** The IMEIs of these that are in stock already. As the login role. */
export async function knownImeis(tx: Tx, imeis: string[]): Promise<Set<string>> {
  if (imeis.length === 0) return new Set()
  const rows = await tx.selectFrom('hardware').select('imei').where('imei', 'in', imeis).execute()
  return new Set(rows.map((row) => row.imei))
}
