import type { Checkpoint } from '@isotherm/contract/audit.ts'
import type { Selectable } from 'kysely'
import { isSignedBy, type PublicKey, type SigningKeys } from '../config/signing-keys.ts'
import type { AuditCheckpoints } from '../db/schema.ts'
import type { Tx } from '../db/transaction.ts'
import { inTurns } from '../loop/turns.ts'
import { canonical } from './audit.ts'
import { walkChain } from './walk-chain.ts'

/** What is signed: a line that says what it is, and the fields as canonical JSON. docs/adr/0013. */
export function checkpointText({ company, number, seq, hash, count, at, keyId }: Omit<Checkpoint, 'signature'>) {
  return `isotherm-audit-checkpoint-v1\n${canonical({ company, number, seq, hash, count, at, keyId })}`
}

/** Those of some checkpoints that a key of this installation signed, and that speak of the company. Each is looked at once. */
export async function genuineOf(
  checkpoints: readonly Checkpoint[],
  companyId: number,
  known: readonly PublicKey[],
): Promise<Set<Checkpoint>> {
  const keys = new Map(known.map((key) => [key.id, key]))
  const genuine = new Set<Checkpoint>()
  for await (const some of inTurns(checkpoints, 50))
    for (const each of some) {
      const key = keys.get(each.keyId)
      const isOurs = key !== undefined && each.company === String(companyId)
      if (isOurs && isSignedBy(key, checkpointText(each), Buffer.from(each.signature, 'base64url'))) genuine.add(each)
    }
  return genuine
}

const present = (row: Selectable<AuditCheckpoints>): Checkpoint => ({
  company: String(row.company_id),
  number: Number(row.number),
  seq: row.seq,
  hash: row.hash.toString('hex'),
  count: Number(row.count),
  at: row.at.toISOString(),
  keyId: row.key_id,
  signature: row.signature.toString('base64url'),
})

/** The company's checkpoints, oldest first. In the tenant's transaction (or the road's). */
export async function checkpointsOf(tx: Tx, companyId: number): Promise<Checkpoint[]> {
  const rows = await tx
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('number')
    .execute()
  return rows.map(present)
}

/**
 * Signs the trail as it is now, unless its end is signed already: then null, and so where another server was faster. Throws
 * where what came since the last checkpoint does not follow from it: what is broken is not sworn to.
 */
export async function signTrail(tx: Tx, companyId: number, keys: SigningKeys, now: Date): Promise<Checkpoint | null> {
  const last = await tx
    .selectFrom('audit_checkpoints')
    .select(['number', 'seq', 'hash'])
    .where('company_id', '=', companyId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const walked = await walkChain(tx, companyId, { from: last && { seq: Number(last.seq), hash: last.hash } })
  if (walked.stopped) throw new BrokenTrail(companyId, walked.seq + 1)
  if (walked.seq === Number(last?.seq ?? 0)) return null
  const about = {
    company: String(companyId),
    number: Number(last?.number ?? 0) + 1,
    seq: String(walked.seq),
    hash: walked.hash.toString('hex'),
    count: walked.seq,
    at: now.toISOString(),
    keyId: keys.id,
  }
  const signature = keys.sign(checkpointText(about))
  const row = await tx
    .insertInto('audit_checkpoints')
    .values({
      company_id: companyId,
      number: String(about.number),
      seq: about.seq,
      hash: walked.hash,
      count: String(about.count),
      at: now,
      key_id: keys.id,
      signature,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ? present(row) : null
}

/** A trail that is not signed any further until somebody has looked at it. */
export class BrokenTrail extends Error {
  constructor(companyId: number, seq: number) {
    super(`the audit trail of company ${companyId} is broken at entry ${seq}: no checkpoint is made`)
  }
}
