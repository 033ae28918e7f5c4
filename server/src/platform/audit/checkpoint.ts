import type { Checkpoint } from '@isotherm/contract/audit.ts'
import { isSignedBy, type PublicKey, type SigningKeys } from '../config/signing-keys.ts'
import type { Tx } from '../db/transaction.ts'
import { inTurns } from '../loop/turns.ts'
import { canonical } from './audit.ts'
import type { Signed } from './signed-ledger.ts'
import { presentCheckpoint, storedTrail, type TrailSource } from './trail-source.ts'
import { walkChain } from './walk-chain.ts'

/** The signed text: a line that says what it is, and the fields as canonical JSON. docs/adr/0013. */
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

/** The company's checkpoints, oldest first. In the tenant's transaction (or the pipeline's). */
export const checkpointsOf = (tx: Tx, companyId: number): Promise<Checkpoint[]> =>
  storedTrail(tx, companyId).checkpoints()

/** Whether the database still has what was signed. Nothing signed yet (number 0) is held by every trail. */
export const holds = (stored: Checkpoint | undefined, signed: Signed): boolean =>
  signed.number === 0 ||
  (stored !== undefined && stored.number === signed.number && stored.seq === signed.seq && stored.hash === signed.hash)

/**
 * From where a trail may be signed on: its newest checkpoint, null where it has none. Throws BrokenTrail where the database lacks
 * what this server signed last, or its newest checkpoint is of no key of this installation.
 */
export async function signedSoFar(
  trail: TrailSource,
  { known, signed }: { known: PublicKey[]; signed: Signed | undefined },
): Promise<Checkpoint | null> {
  const last = (await trail.newestCheckpoint()) ?? null
  const { companyId } = trail
  if (signed && !holds(await trail.checkpoint(signed.number), signed)) throw new LostCheckpoint(companyId, signed)
  if (last && (await genuineOf([last], companyId, known)).size === 0) throw new BrokenTrail(companyId, Number(last.seq))
  return last
}

/**
 * Signs the trail as it is now, unless its end is signed already: then null, and so where another server was faster. `signed` is
 * what this server remembers to have signed last. Throws BrokenTrail where the database lacks that, or where what came since the
 * last checkpoint does not follow from it: what is broken is not sworn to. Once committed, the result belongs into the ledger.
 */
export async function signTrail(
  tx: Tx,
  companyId: number,
  { keys, signed, now }: { keys: SigningKeys; signed: Signed | undefined; now: Date },
): Promise<Checkpoint | null> {
  const trail = storedTrail(tx, companyId)
  const last = await signedSoFar(trail, { known: keys.known, signed })
  const from = last ? { seq: Number(last.seq), hash: Buffer.from(last.hash, 'hex') } : undefined
  const walked = await walkChain(trail, { from })
  if (walked.stopped) throw new BrokenTrail(companyId, walked.seq + 1)
  if (walked.seq === Number(last?.seq ?? 0)) return null
  const about = {
    company: String(companyId),
    number: (last?.number ?? 0) + 1,
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
  return row ? presentCheckpoint(row) : null
}

/** A trail that is not signed any further until somebody has looked at it. */
export class BrokenTrail extends Error {
  constructor(companyId: number, seq: number) {
    super(`the audit trail of company ${companyId} is broken at entry ${seq}: no checkpoint is made`)
  }
}

/** The database lacks a checkpoint that this server signed, or has another in its place. */
export class LostCheckpoint extends BrokenTrail {
  constructor(companyId: number, { number, seq }: Signed) {
    super(companyId, Number(seq))
    this.message =
      `the database lacks checkpoint ${number} of the audit trail of company ${companyId}, which was signed at entry ${seq}: ` +
      'no further one is made. After a restore of an older state: npm run provider -- audit accept-restore'
  }
}
