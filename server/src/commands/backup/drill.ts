import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SignedLedger } from '../../platform/audit/signed-ledger.ts'
import { type Drill, leaveDrill } from '../../platform/backup/drills.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { stampOf } from '../../platform/backup/stretches.ts'
import type { PublicKey } from '../../platform/config/signing-keys.ts'
import { createPool, type Pool } from '../../platform/db/pool.ts'
import { readingsByDay } from './base.ts'
import { sampleAttachments } from './drill-queries.ts'
import { type Checks, judge, sampled } from './judge.ts'
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
        const companies = await judge(pool, { known: await keysIn(dir), ledger: new SignedLedger(dir) }, checks)
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

async function keysIn(dir: string): Promise<PublicKey[]> {
  const text = await readFile(join(dir, publicKeysFile), 'utf8').catch(() => null)
  if (text === null) throw new RefusedError('The backup lacks the public halves of the signing keys.')
  return (JSON.parse(text) as { keys: PublicKey[] }).keys
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
