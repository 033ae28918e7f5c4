import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { contentHash, type Parts, signatureHash } from '../../features/records/content-hash.ts'
import { SignedLedger } from '../../platform/audit/signed-ledger.ts'
import { verifyChain } from '../../platform/audit/verify-chain.ts'
import { type Drill, leaveDrill } from '../../platform/backup/drills.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { stampOf } from '../../platform/backup/stretches.ts'
import type { PublicKey } from '../../platform/config/signing-keys.ts'
import { type Client, createPool, type Pool } from '../../platform/db/pool.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { readingsByDay } from './base.ts'
import { auditedCompanies, sampleAttachments, sampleSignatures } from './drill-queries.ts'
import { publicKeysFile } from './keys.ts'
import { findInstant, type Vault } from './point-in-time.ts'
import { needRoom } from './room.ts'
import { stageBackup } from './stage.ts'

/** An instant for which log and files are surely stored. */
const AGO_MS = 10 * 60_000

interface DrillRequest {
  vault: Vault
  /** Where it is restored, for the time of the drill. */
  scratch: string
  operator: string
  to?: Date | undefined
}

export interface LeftRecord {
  record: Drill
  name: string
  /** Whether the server can know that it was made by who has the identity; it signs no other. */
  isProven: boolean
}

/** Restores into a scratch folder, looks whether all is there, takes it away again, and puts a record of it beside the backup. */
export async function drill({ vault, scratch, operator, to }: DrillRequest): Promise<LeftRecord> {
  const began = performance.now()
  const at = new Date()
  const instant = to ?? new Date(at.getTime() - AGO_MS)
  const found = await findInstant(vault, instant)
  await mkdir(scratch, { recursive: true, mode: 0o711 })
  await needRoom(scratch, found.bytes)
  const checks = { checked: {} as Record<string, number>, faults: [] as string[], beganAt: 0, ms: 0 }
  const stage = await stageBackup(found.source, {
    dataDir: await realpath(scratch),
    name: `restoring-${stampOf(at)}`,
    complete: async () => {},
    async look(url, _, dir) {
      const from = performance.now()
      const pool = createPool(url, 2, () => {})
      try {
        await checkReadings(url, found.readings ?? [], instant, checks)
        const companies = await asPipeline(pool, ({ client }) => auditedCompanies(client))
        await checkTrails(pool, companies, dir, checks)
        await checkSignatures(pool, companies, checks)
        await checkFiles(pool, companies, dir, checks)
      } finally {
        await pool.end()
      }
      checks.ms = performance.now() - from
    },
  })
  await stage.discard()
  checks.checked.migrations = stage.manifest.database?.migrations.length ?? 0
  const restoreMs = performance.now() - began - checks.ms
  const { name: base = '', drillSecret } = found.base ?? {}
  const record: Drill = {
    ...{ at: at.toISOString(), restoredTo: instant.toISOString(), base, operator },
    seconds: { restore: Math.round(restoreMs) / 1000, checks: Math.round(checks.ms) / 1000 },
    timesRestore: Math.round((100 * (restoreMs + checks.ms)) / restoreMs) / 100,
    ...{ checked: checks.checked, faults: checks.faults },
  }
  return { record, name: await leaveDrill(vault.store, record, drillSecret), isProven: drillSecret !== undefined }
}

type Checks = Pick<Drill, 'checked' | 'faults'>

/** Late readings may have been added since the base; none may have gone. */
async function checkReadings(url: string, known: { day: string; count: number }[], at: Date, checks: Checks) {
  const here = new Map((await readingsByDay(url, at)).map(({ day, count }) => [day, count]))
  const oldest = new Date(at.getTime() - 7 * 86_400_000).toISOString().slice(0, 10)
  const compared = known.filter(({ day }) => day >= oldest)
  for (const { day, count } of compared) {
    const restored = here.get(day) ?? 0
    if (restored < count) checks.faults.push(`Of ${count} readings of ${day} there are ${restored}.`)
  }
  checks.checked.readings = [...here.values()].reduce((sum, count) => sum + count, 0)
}

async function checkTrails(pool: Pool, companies: number[], dir: string, checks: Checks): Promise<void> {
  const text = await readFile(join(dir, publicKeysFile), 'utf8').catch(() => null)
  if (text === null) throw new RefusedError('The backup lacks the public halves of the signing keys.')
  const { keys: known } = JSON.parse(text) as { keys: PublicKey[] }
  const ledger = new SignedLedger(dir)
  let [entries, checkpoints] = [0, 0]
  for (const companyId of companies) {
    const signed = await ledger.last(companyId)
    const state = await asPipeline(pool, ({ tx }) => verifyChain(tx, companyId, { known, signed }))
    entries += state.entries
    checkpoints += state.checkpoints
    if (state.fault)
      checks.faults.push(
        `The audit trail of company ${companyId} is broken at ${state.fault.from}: ${state.fault.kind}.`,
      )
  }
  Object.assign(checks.checked, { entries, checkpoints })
}

/** Rows of companies taken at random, until there are enough. */
async function sampled<T>(
  pool: Pool,
  companies: number[],
  max: number,
  rowsOf: (client: Client, max: number) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = []
  const shuffled = companies.map((id) => ({ id, at: Math.random() })).sort((a, b) => a.at - b.at)
  for (const { id } of shuffled) {
    if (rows.length >= max) break
    rows.push(...(await inTenant(pool, id, ({ client }) => rowsOf(client, max - rows.length))))
  }
  return rows
}

async function checkSignatures(pool: Pool, companies: number[], checks: Checks): Promise<void> {
  const rows = await sampled(pool, companies, 20, sampleSignatures)
  for (const row of rows) {
    const content = contentHash(row.parts as Parts, row.previous_sha256)
    const own = signatureHash(content, row.previous_sha256, {
      ...{ recordId: row.record_id, signerId: row.signer_id, signerName: row.signer_name, signerRole: row.signer_role },
      ...{ signedAt: row.signed_at, meaning: row.meaning, reason: row.reason },
    })
    if (content !== row.content_sha256.toString('hex') || own !== row.sha256.toString('hex'))
      checks.faults.push(`Signature ${row.id} of company ${row.company_id} does not fit what was signed.`)
  }
  checks.checked.signatures = rows.length
}

async function checkFiles(pool: Pool, companies: number[], dir: string, checks: Checks): Promise<void> {
  const rows = await sampled(pool, companies, 50, sampleAttachments)
  for (const { file_key, sha256 } of rows) {
    const hash = createHash('sha256')
    const isThere = await pipeline(createReadStream(join(dir, 'files', file_key)), hash).then(
      () => true,
      () => false,
    )
    if (!isThere) checks.faults.push(`The file ${file_key} is missing.`)
    else if (!hash.digest().equals(sha256)) checks.faults.push(`The file ${file_key} is another one.`)
  }
  checks.checked.files = rows.length
}
