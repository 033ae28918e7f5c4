import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Checkpoint } from '@isotherm/contract/audit.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cover, chance, covered, covers, sampleTrail, tampered, ways } from '../../../test/tampered-trail.ts'
import { type SigningKeys, signingKeys } from '../config/signing-keys.ts'
import { genesis } from './audit.ts'
import { BrokenTrail, checkpointText, LostCheckpoint, signedSoFar } from './checkpoint.ts'
import type { Signed } from './signed-ledger.ts'
import type { TrailRow, TrailSource } from './trail-source.ts'
import { judgeTrail } from './verify-chain.ts'

// The same tamperings as in tampering.db.test.ts, without a database and without any file kept outside: this server remembers
// what it signed last.

const rounds = 10_000
const companyId = 7
let folder: string
let keys: SigningKeys
let rows: TrailRow[]
let checkpoints: Checkpoint[]
let signed: Signed
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-tampering-'))
  keys = await signingKeys(folder)
  rows = sampleTrail(companyId, 40, Date.parse('2026-11-22T08:00:00Z'))
  checkpoints = [15, 30, 40].map((seq, index) => sign(index + 1, rows[seq - 1] as TrailRow))
  const { number, seq, hash } = checkpoints.at(-1) as Checkpoint
  signed = { company: String(companyId), number, seq, hash }
})
afterAll(() => rm(folder, { recursive: true }))

function sign(number: number, { seq, hash, at }: TrailRow): Checkpoint {
  const about = { company: String(companyId), number, seq, hash: hash.toString('hex'), count: Number(seq) }
  const full = { ...about, at: at.toISOString(), keyId: keys.id }
  return { ...full, signature: keys.sign(checkpointText(full)).toString('base64url') }
}

interface Stored {
  rows: TrailRow[]
  head: { seq: number; hash: Buffer }
  checkpoints: Checkpoint[]
}

const trailOf = ({ rows: all, head, checkpoints: own }: Stored): TrailSource => ({
  companyId,
  after: async (seq, limit) => all.filter((row) => Number(row.seq) > seq).slice(0, limit),
  follower: async (previous, seq) =>
    Number(all.find((row) => row.prev_hash.equals(previous) && Number(row.seq) !== seq)?.seq ?? 0),
  head: async () => head,
  checkpoints: async () => own,
  newestCheckpoint: async () => own.at(-1),
  checkpoint: async (number) => own.find((each) => each.number === number),
})

const endOf = (all: TrailRow[]) => ({ seq: Number(all.at(-1)?.seq ?? 0), hash: all.at(-1)?.hash ?? genesis })
const untouched = (): Stored => ({ rows, head: endOf(rows), checkpoints })

/** The database once the tampering is covered up: the end mark and the checkpoints follow, as far as that goes without the key. */
function coverUp(made: TrailRow[], cover: Cover): Stored {
  if (cover === 'none' || cover === 'renumbered') return { ...untouched(), rows: made }
  const head = endOf(made)
  if (cover === 'checkpointsGone') return { rows: made, head, checkpoints: [] }
  if (cover === 'rehashed') return { rows: made, head, checkpoints }
  const forged = checkpoints.flatMap((each) => {
    const row = made.find(({ seq }) => seq === each.seq)
    return row ? [{ ...each, hash: row.hash.toString('hex') }] : []
  })
  return { rows: made, head, checkpoints: forged }
}

test(`${rounds} random tamperings are all found without any file kept outside, and none is signed over (M9)`, async () => {
  const missed: string[] = []
  const found = new Set<string>()
  let refused = 0
  for (let round = 1; round <= rounds; round += 1) {
    const luck = chance(round)
    const way = ways[round % ways.length] as (typeof ways)[number]
    const cover = luck.pick(covers)
    const stored = coverUp(covered(companyId, tampered(rows, way, luck), way, cover), cover)
    const { fault } = await judgeTrail(trailOf(stored), { known: keys.known, signed })
    if (fault) found.add(fault.kind)
    else missed.push(`${round}: ${way}, ${cover}`)
    if (cover !== 'checkpointsGone' && cover !== 'checkpointsForged') continue
    const refusal = await signedSoFar(trailOf(stored), { known: keys.known, signed }).catch((error: unknown) => error)
    if (refusal instanceof BrokenTrail) refused += 1
    else missed.push(`${round}: ${way}, ${cover}: signed on`)
  }
  expect(missed).toEqual([])
  expect(refused).toBeGreaterThan(rounds / 4)
  expect([...found]).toEqual(
    expect.arrayContaining(['edited', 'missing', 'inserted', 'reordered', 'rehashed', 'checkpointMissing']),
  )
  // It only computes: on a machine that does other work it takes as long as it is given no processor.
}, 300_000)

test('a trail that nobody touched is whole, and is signed on from its newest checkpoint', async () => {
  const trail = trailOf(untouched())
  expect((await judgeTrail(trail, { known: keys.known, signed })).fault).toBeNull()
  expect(await signedSoFar(trail, { known: keys.known, signed })).toEqual(checkpoints[2])
  // Another server that shares the database signed a further one: what is remembered here is behind, not lost.
  const behind = { ...signed, number: 2, seq: '30', hash: checkpoints[1]?.hash ?? '' }
  expect((await judgeTrail(trail, { known: keys.known, signed: behind })).fault).toBeNull()
  expect(await signedSoFar(trail, { known: keys.known, signed: behind })).toEqual(checkpoints[2])
})

test('without what is remembered, a trail written anew without checkpoints passes: the test can tell (M9)', async () => {
  const made = covered(companyId, tampered(rows, 'edit', chance(1)), 'edit', 'checkpointsGone')
  const trail = trailOf(coverUp(made, 'checkpointsGone'))
  expect((await judgeTrail(trail, { known: keys.known })).fault).toBeNull()
  expect((await judgeTrail(trail, { known: keys.known, signed })).fault).toEqual({
    kind: 'checkpointMissing',
    from: 40,
    to: 40,
  })
  await expect(signedSoFar(trail, { known: keys.known, signed })).rejects.toThrow(LostCheckpoint)
})

test('a checkpoint that no key of this installation signed is not gone on from (M9)', async () => {
  const forged = { ...(checkpoints[2] as Checkpoint), number: 4, signature: 'AAAA' }
  const trail = trailOf({ ...untouched(), checkpoints: [...checkpoints, forged] })
  await expect(signedSoFar(trail, { known: keys.known, signed })).rejects.toThrow(BrokenTrail)
})

test('an entry that was written anew with all after it is placed between two checkpoints', async () => {
  const judged = (seq: number) => {
    const made = rows.map((row) => (row.seq === String(seq) ? { ...row, action: 'devices.forged' } : row))
    const stored = coverUp(covered(companyId, made, 'edit', 'rehashed'), 'rehashed')
    return judgeTrail(trailOf(stored), { known: keys.known })
  }
  const fault = (from: number, to: number) => ({ kind: 'rehashed', from, to })
  expect(await judged(5)).toEqual({ entries: 0, checkpoints: 3, signedTo: null, fault: fault(1, 15) })
  const signedTo = { seq: 15, at: checkpoints[0]?.at }
  expect(await judged(20)).toEqual({ entries: 15, checkpoints: 3, signedTo, fault: fault(16, 30) })
})

test('a whole trail says how far it is signed, one that has not begun is whole', async () => {
  const { fault, signedTo } = await judgeTrail(trailOf(untouched()), { known: keys.known })
  expect([fault, signedTo]).toEqual([null, { seq: 40, at: checkpoints[2]?.at }])
  const empty = { ...trailOf({ ...untouched(), rows: [], checkpoints: [] }), head: async () => undefined }
  expect(await judgeTrail(empty, { known: keys.known })).toMatchObject({ entries: 0, signedTo: null, fault: null })
})

test('an older checkpoint that is forged, of an unknown key or gone is found, though the newest is as it was', async () => {
  const faultOf = async (own: Checkpoint[]) =>
    (await judgeTrail(trailOf({ ...untouched(), checkpoints: own }), { known: keys.known, signed })).fault
  const [first, ...others] = checkpoints as [Checkpoint, ...Checkpoint[]]
  expect(await faultOf([{ ...first, signature: 'AAAA' }, ...others])).toMatchObject({
    kind: 'checkpointForged',
    from: 15,
  })
  expect(await faultOf([{ ...first, keyId: 'other' }, ...others])).toMatchObject({ kind: 'keyUnknown', from: 15 })
  expect(await faultOf(others)).toMatchObject({ kind: 'checkpointMissing', from: 30, to: 30 })
})
