import type { AuditFault } from '@isotherm/contract/audit.ts'
import { Turns } from '../loop/turns.ts'
import type { TrailRow, TrailSource } from './trail-source.ts'
import { isHashOf } from './walk-chain.ts'

/** How far from its place an entry is looked for. */
const reach = 2_000

/**
 * Classifies a break of the chain: `row` stands where entry number `seq`, which follows `previous`, should be.
 * The signs: an entry that still fits another place was moved there or its neighbours went; one that fits nowhere was made.
 */
export async function faultAt(trail: TrailSource, previous: Buffer, row: TrailRow, seq: number): Promise<Fault> {
  const stands = Number(row.seq)
  const links = row.prev_hash.equals(previous)
  const moved = await trail.follower(previous, seq)
  if (stands > seq)
    return moved ? { kind: 'reordered', from: seq, to: moved } : { kind: 'missing', from: seq, to: stands - 1 }
  if (links && !moved) return { kind: 'edited', from: seq, to: seq }
  const original = links ? null : await originalPlace(row)
  // It is what it was, and what it follows is not: the entry before has another hash now.
  if (original === seq) return { kind: 'edited', from: Math.max(1, seq - 1), to: Math.max(1, seq - 1) }
  if (moved)
    return original ? { kind: 'reordered', from: seq, to: moved } : { kind: 'inserted', from: seq, to: moved - 1 }
  if (original) return { kind: 'missing', from: seq, to: Math.max(seq, original - 1) }
  const head = await trail.head()
  return { kind: head && head.seq < seq ? 'inserted' : 'edited', from: seq, to: seq }
}

/** The number under which the row's hash is right; null where there is none near by. */
async function originalPlace(row: TrailRow): Promise<number | null> {
  const stands = Number(row.seq)
  const turns = new Turns()
  for (let distance = 0; distance <= reach; distance += 1) {
    if (turns.isOver) await turns.next()
    for (const seq of distance === 0 ? [stands] : [stands + distance, stands - distance])
      if (seq > 0 && isHashOf(row, seq)) return seq
  }
  return null
}

/** Where a trail is broken, and how: entries `from` to `to`; `to` is null where that end cannot be told. */
export interface Fault {
  kind: AuditFault
  from: number
  to: number | null
}
