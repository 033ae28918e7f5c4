import { type Chained, chainHash, genesis } from '../src/platform/audit/audit.ts'
import type { TrailRow } from '../src/platform/audit/trail-source.ts'
import { entryOf } from '../src/platform/audit/walk-chain.ts'

// Ways in which somebody who owns the database may tamper with a trail. They know how entries are hashed; they do not have the
// installation's key.

/** The content of entry `n` of a trail that is tampered with. */
export const sampleEntry = (n: number) => ({
  action: 'devices.changed',
  target: { kind: 'device', id: String(n), name: `Fridge ${n}` },
  before: { name: `old ${n}` },
  after: { name: `new ${n}` },
  reason: `r${n}`,
})
export const sampleAbout = (n: number, from: number) => ({
  actor: { kind: 'user' as const, id: String(n % 3), name: `Person ${n % 3}`, role: 'staff' },
  origin: { address: `10.0.0.${n}`, agent: 'test', requestId: String(n) },
  at: new Date(from + n * 1000),
})

/** Such a trail as rows, without a database. */
export function sampleTrail(companyId: number, entries: number, from: number): TrailRow[] {
  let previous: Buffer = genesis
  return Array.from({ length: entries }, (_, index) => {
    const seq = index + 1
    const { at, actor, origin } = sampleAbout(seq, from)
    const chained: Chained = { ...sampleEntry(seq), seq, at: at.toISOString(), actor, origin }
    const hash = chainHash(previous, companyId, chained)
    const row = { ...sampleEntry(seq), company_id: companyId, seq: String(seq), at, actor, origin }
    const stored = { ...row, prev_hash: previous, hash, feature: 'devices', words: '' } as unknown as TrailRow
    previous = hash
    return stored
  })
}

/** Repeatable chance (mulberry32). */
export function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let z = Math.imul(state ^ (state >>> 15), 1 | state)
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}
type Chance = ReturnType<typeof chance>

const edits: ((row: TrailRow) => Partial<TrailRow>)[] = [
  () => ({ action: 'devices.decommissioned' }),
  () => ({ actor: { kind: 'user', id: '9', name: 'Somebody else', role: 'admin' } }),
  () => ({ target: null }),
  () => ({ before: { name: 'never' } }),
  () => ({ after: { name: 'other' } }),
  () => ({ reason: 'because' }),
  () => ({ origin: { address: '10.9.9.9', agent: 'test', requestId: '1' } }),
  (row) => ({ at: new Date(row.at.getTime() + 1) }),
]
export const ways = ['edit', 'delete', 'insert', 'reorder', 'cut'] as const

/** The tampered trail, entries in their new order. */
export function tampered(rows: TrailRow[], way: (typeof ways)[number], { below, pick }: Chance): TrailRow[] {
  const at = below(rows.length)
  const row = rows[at] as TrailRow
  switch (way) {
    case 'edit':
      return rows.with(at, { ...row, ...pick(edits)(row) })
    case 'delete':
      // The last one gone is a cut.
      return rows.toSpliced(below(rows.length - 1), 1)
    case 'insert':
      return rows.toSpliced(at, 0, { ...row, after: { name: 'put in' }, reason: null })
    case 'reorder': {
      const to = (at + 1 + below(rows.length - 1)) % rows.length
      return rows.with(at, rows[to] as TrailRow).with(to, row)
    }
    case 'cut':
      return rows.slice(0, at)
  }
}

// How well it is covered up: not at all, renumbered, or every hash from there on and the end mark written anew; and then the
// checkpoints left as they are, taken out, or made to fit without the key.
export const covers = ['none', 'renumbered', 'rehashed', 'checkpointsGone', 'checkpointsForged'] as const
export type Cover = (typeof covers)[number]

const renumber = (rows: TrailRow[]) => rows.map((row, index) => ({ ...row, seq: String(index + 1) }))

export function rehash(companyId: number, rows: TrailRow[]): TrailRow[] {
  let previous: Buffer = genesis
  return renumber(rows).map((row) => {
    const hash = chainHash(previous, companyId, entryOf(row))
    const made = { ...row, prev_hash: previous, hash }
    previous = hash
    return made
  })
}

/** Without a number of its own an entry put in would collide, and who moves entries gives them their places' numbers. */
export const covered = (companyId: number, rows: TrailRow[], way: string, cover: Cover) =>
  cover === 'none' && (way === 'delete' || way === 'cut' || way === 'edit')
    ? rows
    : cover === 'none' || cover === 'renumbered'
      ? renumber(rows)
      : rehash(companyId, rows)
