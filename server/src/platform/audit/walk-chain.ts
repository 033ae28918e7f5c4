import { PageSize } from '../loop/page-size.ts'
import { Turns } from '../loop/turns.ts'
import { type Actor, type Chained, chainHash, genesis, type Origin } from './audit.ts'
import type { TrailRow, TrailSource } from './trail-source.ts'

/** How far a walk came: `seq` and `hash` of the last entry that follows, and the row that does not, if there is one. */
interface Walked {
  seq: number
  hash: Buffer
  stopped: TrailRow | null
}

interface Walk {
  /** Where to begin: after this entry; else at the beginning. */
  from?: { seq: number; hash: Buffer } | undefined
  /** Told of every entry that follows; false ends the walk after it. */
  onEntry?: (seq: number, hash: Buffer) => boolean
}

/** Recomputes the chain entry by entry until its end, or the first that does not follow. */
export async function walkChain(trail: TrailSource, { from, onEntry }: Walk): Promise<Walked> {
  let hash: Buffer = from?.hash ?? genesis
  let seq = from?.seq ?? 0
  const turns = new Turns()
  const size = new PageSize()
  for (;;) {
    const limit = size.rows
    const began = performance.now()
    const rows = await trail.after(seq, limit)
    size.took(performance.now() - began)
    for (const row of rows) {
      if (turns.isOver) await turns.next()
      const follows = Number(row.seq) === seq + 1 && row.prev_hash.equals(hash)
      if (!follows || !isHashOf(row, Number(row.seq))) return { seq, hash, stopped: row }
      hash = row.hash
      seq += 1
      if (onEntry && !onEntry(seq, hash)) return { seq, hash, stopped: null }
    }
    if (rows.length < limit) return { seq, hash, stopped: null }
  }
}

/** Whether the row's hash is that of its content, were it entry number `seq`. */
export const isHashOf = (row: TrailRow, seq: number): boolean =>
  chainHash(row.prev_hash, row.company_id, { ...entryOf(row), seq }).equals(row.hash)

/** The entry as it was hashed: what was not given is absent, not null. */
export const entryOf = (row: TrailRow): Chained => ({
  seq: Number(row.seq),
  at: row.at.toISOString(),
  actor: row.actor as unknown as Actor,
  origin: row.origin as unknown as Origin,
  action: row.action,
  ...(row.target === null ? {} : { target: row.target as unknown as NonNullable<Chained['target']> }),
  ...(row.before === null ? {} : { before: row.before as Record<string, unknown> }),
  ...(row.after === null ? {} : { after: row.after as Record<string, unknown> }),
  ...(row.reason === null ? {} : { reason: row.reason }),
})
