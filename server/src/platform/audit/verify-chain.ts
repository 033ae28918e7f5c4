import type { Checkpoint } from '@isotherm/contract/audit.ts'
import type { PublicKey } from '../config/signing-keys.ts'
import type { Tx } from '../db/transaction.ts'
import { genuineOf, holds } from './checkpoint.ts'
import { type Fault, faultAt } from './fault-at.ts'
import type { Signed } from './signed-ledger.ts'
import { storedTrail, type TrailSource } from './trail-source.ts'
import { walkChain } from './walk-chain.ts'

/** `entries`: how many of them follow from the first; `signedTo`: the last that a checkpoint vouches for, null without one. */
export interface ChainState {
  entries: number
  checkpoints: number
  signedTo: { seq: number; at: string } | null
  fault: Fault | null
}

interface Against {
  /** Every key of this installation: what the database says of keys is not asked. */
  known: PublicKey[]
  /** Checkpoints kept elsewhere; genuine ones only. */
  kept?: Checkpoint[]
  /** The last signature of this server, remembered outside the database. */
  signed?: Signed | undefined
}

/** Verifies the company's audit trail as it is stored. In the tenant's transaction (or the pipeline's). */
export const verifyChain = (tx: Tx, companyId: number, against: Against): Promise<ChainState> =>
  judgeTrail(storedTrail(tx, companyId), against)

/**
 * Recomputes a trail from its first entry and compares it with its checkpoints, with those that were kept elsewhere, and with what
 * this server remembers to have signed. Finds every edit, loss, insertion and reordering up to the last checkpoint, however well
 * the rest was made to fit.
 */
export async function judgeTrail(trail: TrailSource, { known, kept = [], signed }: Against): Promise<ChainState> {
  const { companyId } = trail
  const own = await trail.checkpoints()
  const genuine = await genuineOf(own, companyId, known)
  const sworn = Map.groupBy([...genuine, ...kept], ({ seq }) => Number(seq))
  const seen: { signed?: Checkpoint; broken?: number } = {}
  const walked = await walkChain(trail, {
    onEntry(seq, hash) {
      const here = sworn.get(seq)
      if (!here) return true
      if (here.every((each) => each.hash === hash.toString('hex'))) seen.signed = here[0] as Checkpoint
      else seen.broken = seq
      return seen.broken === undefined
    },
  })
  const signedTo = seen.signed ? { seq: Number(seen.signed.seq), at: seen.signed.at } : null
  const state = { entries: walked.seq, checkpoints: own.length, signedTo }
  if (seen.broken !== undefined) {
    const last = signedTo?.seq ?? 0
    return { ...state, entries: last, fault: { kind: 'rehashed', from: last + 1, to: seen.broken } }
  }
  const fault = walked.stopped
    ? await faultAt(trail, walked.hash, walked.stopped, walked.seq + 1)
    : ((await endFault(trail, walked, newest(sworn.keys()))) ??
      checkpointFault(own, genuine, known) ??
      lostFault(own, signed))
  return { ...state, fault }
}

const newest = (places: Iterable<number>) => {
  let last = 0
  for (const seq of places) last = Math.max(last, seq)
  return last
}

/** Whether the trail ends where its end mark and its checkpoints say. */
async function endFault(
  trail: TrailSource,
  { seq, hash }: { seq: number; hash: Buffer },
  swornTo: number,
): Promise<Fault | null> {
  const head = await trail.head()
  const end = Math.max(head?.seq ?? 0, swornTo)
  if (end > seq) return { kind: 'tailCut', from: seq + 1, to: end }
  if (head && head.seq < seq) return { kind: 'inserted', from: head.seq + 1, to: seq }
  const fits = head ? head.hash.equals(hash) : seq === 0
  return fits ? null : { kind: 'endMark', from: seq + 1, to: null }
}

/** The last checkpoint that this server signed is not there, or another stands in its place. */
function lostFault(own: Checkpoint[], signed: Signed | undefined): Fault | null {
  if (
    !signed ||
    holds(
      own.find(({ number }) => number === signed.number),
      signed,
    )
  )
    return null
  return { kind: 'checkpointMissing', from: Number(signed.seq), to: Number(signed.seq) }
}

/** A checkpoint that nobody signed, or a gap in their numbers. */
function checkpointFault(own: Checkpoint[], genuine: ReadonlySet<Checkpoint>, known: PublicKey[]): Fault | null {
  for (const [index, checkpoint] of own.entries()) {
    const seq = Number(checkpoint.seq)
    if (!known.some(({ id }) => id === checkpoint.keyId)) return { kind: 'keyUnknown', from: seq, to: seq }
    if (!genuine.has(checkpoint)) return { kind: 'checkpointForged', from: seq, to: seq }
    if (checkpoint.number !== index + 1) return { kind: 'checkpointMissing', from: seq, to: seq }
  }
  return null
}
