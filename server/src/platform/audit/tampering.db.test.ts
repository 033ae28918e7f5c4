import type { Checkpoint } from '@isotherm/contract/audit.ts'
import { beforeAll, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany } from '../../../test/factories.ts'
import {
  type Cover,
  chance,
  covered,
  covers,
  rehash,
  sampleAbout,
  sampleEntry,
  tampered,
  ways,
} from '../../../test/tampered-trail.ts'
import { type SigningKeys, signingKeys } from '../config/signing-keys.ts'
import { asLogin, inTenant, type Tx } from '../db/transaction.ts'
import { genesis, writeAudit } from './audit.ts'
import { checkpointsOf, signTrail } from './checkpoint.ts'
import type { TrailRow } from './trail-source.ts'
import { type ChainState, verifyChain } from './verify-chain.ts'

// Somebody who owns the database tampers with a trail of 40 entries whose entries 15, 30 and 40 are signed. They know how
// entries are hashed; they do not have the installation's key, nor the checkpoint file the company has put away.

const rounds = 1_000
let companyId: number
let keys: SigningKeys
let kept: Checkpoint[]
const t = describeApp()
beforeAll(async () => {
  companyId = (await buildCompany(t)).companyId
  keys = await signingKeys(t.services.config.dataDir)
  for (let n = 1; n <= 40; n += 1) {
    await inTenant(t.pool, companyId, async ({ tx }) => {
      await writeAudit(tx, companyId, sampleAbout(n, t.clock.now().getTime()), [sampleEntry(n)])
      if ([15, 30, 40].includes(n)) await signTrail(tx, companyId, { keys, signed: undefined, now: t.clock.now() })
    })
  }
  kept = await inTenant(t.pool, companyId, ({ tx }) => checkpointsOf(tx, companyId))
})

async function replaceTrail(tx: Tx, rows: TrailRow[], cover: Cover) {
  await tx.deleteFrom('audit_log').where('company_id', '=', companyId).execute()
  const stored = rows.map(({ feature: _, words: __, ...row }) => ({
    ...row,
    actor: JSON.stringify(row.actor),
    origin: JSON.stringify(row.origin),
    target: row.target && JSON.stringify(row.target),
    before: row.before && JSON.stringify(row.before),
    after: row.after && JSON.stringify(row.after),
  }))
  if (stored.length > 0) await tx.insertInto('audit_log').values(stored).execute()
  if (cover === 'none' || cover === 'renumbered') return
  const last = rows.at(-1)
  await tx
    .updateTable('audit_heads')
    .set({ seq: last?.seq ?? '0', hash: last?.hash ?? genesis })
    .execute()
  if (cover === 'checkpointsGone') await tx.deleteFrom('audit_checkpoints').execute()
  if (cover !== 'checkpointsForged') return
  await tx.deleteFrom('audit_checkpoints').where('seq', '>', String(rows.length)).execute()
  for (const { seq, hash } of rows)
    await tx.updateTable('audit_checkpoints').set({ hash }).where('seq', '=', seq).execute()
}

class Undo extends Error {}

/** Runs `work` as the database's owner with every wall down, and undoes it. */
async function asOwner<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const result: { value?: T } = {}
  await asLogin(t.pool, async ({ tx, client }) => {
    await client.query('alter table audit_log disable row level security, disable trigger user')
    await client.query('alter table audit_heads disable row level security')
    await client.query('alter table audit_checkpoints disable row level security, disable trigger user')
    result.value = await work(tx)
    throw new Undo()
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error
  })
  return result.value as T
}

const rowsOf = (tx: Tx) => tx.selectFrom('audit_log').selectAll().orderBy('seq').execute()

test(`${rounds} random tamperings are all found`, async () => {
  const missed: string[] = []
  const found = new Map<string, number>()
  for (let round = 1; round <= rounds; round += 1) {
    const luck = chance(round)
    const way = ways[round % ways.length] as (typeof ways)[number]
    const cover = luck.pick(covers)
    const state = await asOwner<ChainState>(async (tx) => {
      const rows = covered(companyId, tampered(await rowsOf(tx), way, luck), way, cover)
      await replaceTrail(tx, rows, cover)
      // The file is needed only against who took checkpoints away: all of them, or those of a lost end.
      const isTaken = cover === 'checkpointsGone' || (cover === 'checkpointsForged' && rows.length < 40)
      return verifyChain(tx, companyId, { known: keys.known, kept: isTaken ? kept : [] })
    })
    if (!state.fault) missed.push(`${round}: ${way}, ${cover}`)
    else found.set(state.fault.kind, (found.get(state.fault.kind) ?? 0) + 1)
  }
  expect(missed).toEqual([])
  expect([...found.values()].reduce((sum, n) => sum + n, 0)).toBe(rounds)
  expect([...found.keys()]).toEqual(
    expect.arrayContaining(['edited', 'missing', 'inserted', 'reordered', 'tailCut', 'rehashed', 'checkpointForged']),
  )
})

test('nothing is found where nothing was done, and what no signature covers is not found', async () => {
  const verify = (tx: Tx, file: Checkpoint[]) => verifyChain(tx, companyId, { known: keys.known, kept: file })
  // Written back as it was, and rehashed to the same hashes.
  const same = await asOwner(async (tx) => {
    await replaceTrail(tx, rehash(companyId, await rowsOf(tx)), 'rehashed')
    return verify(tx, kept)
  })
  expect(same).toMatchObject({ entries: 40, checkpoints: 3, signedTo: { seq: 40 }, fault: null })
  // Without the file, an owner who rehashes and takes the checkpoints away is not found out: the test can tell.
  const gone = (file: Checkpoint[]) =>
    asOwner(async (tx) => {
      await replaceTrail(tx, rehash(companyId, tampered(await rowsOf(tx), 'cut', chance(3))), 'checkpointsGone')
      return verify(tx, file)
    })
  expect((await gone([])).fault).toBeNull()
  expect((await gone(kept)).fault?.kind).toBe('tailCut')
  expect((await asOwner((tx) => verify(tx, kept))).fault).toBeNull()
})
