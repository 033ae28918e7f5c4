import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findOrphans } from '../core/files/orphans.ts'
import { RefusedError } from '../platform/backup/refused.ts'
import type { Config } from '../platform/config/config.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { createPool } from '../platform/db/pool.ts'
import { type FilePlace, isFileKey, openFiles } from '../platform/files/files.ts'
import { type ObjectStore, objectStore } from '../platform/files/object-store.ts'
import { createLog } from '../platform/log/log.ts'
import type { Command } from './command.ts'
import { demandInstallation } from './demand-installation.ts'

/** `files copy`, or `files orphans`, which prints the files that no row names and, with `--remove`, removes them. */
export const filesCommand: Command = async (config, [what, ...rest]) => {
  if (what === 'copy' && rest.length === 0) return copyCommand(config)
  const isRemoving = rest[0] === '--remove'
  if (what === 'orphans' && rest.length === (isRemoving ? 1 : 0)) return orphansCommand(config, isRemoving)
  throw new RefusedError('There are: files copy, files orphans, files orphans --remove')
}

async function orphansCommand(config: Config, isRemoving: boolean): Promise<number> {
  demandInstallation(config)
  const database = await openDatabase(config, createLog('warn'), { share: true })
  const pool = createPool(database.url, 2, () => {})
  const files = openFiles(config)
  try {
    let count = 0
    for (let after: string | undefined | null; after !== null; ) {
      const turn = await findOrphans({ pool, config, clock: { now: () => new Date() } }, after)
      for (const { name, bytes, at } of turn.orphans) {
        if (isRemoving) await files.remove(name)
        console.log(`${name} ${bytes} bytes, ${at.toISOString()}`)
      }
      count += turn.orphans.length
      after = turn.next
    }
    console.log(`${count} files have no row${isRemoving ? ' and were removed' : ''}.`)
    return 0
  } finally {
    await pool.end()
    await database.stop()
  }
}

/** Copies the files of DATA_DIR to the bucket, beside a running server. To be run again, it copies what the bucket lacks. */
async function copyCommand(config: Config): Promise<number> {
  if (!config.fileStore) throw new RefusedError('FILES_S3_BUCKET must be set.')
  const { copied, there, faults } = await copyFiles(config)
  for (const fault of faults) console.error(fault)
  console.log(`${copied} files were copied and read again, ${there} were there already, ${faults.length} failed.`)
  if (faults.length === 0) console.log(`Nothing reads ${join(config.dataDir, 'files')} any more: it may be removed.`)
  return faults.length === 0 ? 0 : 1
}

interface Copied {
  copied: number
  /** Those that the bucket had already, with the same content. */
  there: number
  /** A sentence for each file that was not copied. */
  faults: string[]
}

export async function copyFiles({ dataDir, fileStore }: FilePlace): Promise<Copied> {
  if (!fileStore) throw new TypeError('there is no bucket')
  const store = objectStore(fileStore)
  const known = new Set<string>()
  for await (const page of store.list()) for (const { name } of page) known.add(name)
  const root = join(dataDir, 'files')
  const result: Copied = { copied: 0, there: 0, faults: [] }
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path)
    if (!entry.isFile() || !isFileKey(name)) continue
    if (known.has(name) && (await isSame(store, name, path))) {
      result.there += 1
      continue
    }
    try {
      await store.put(name, path)
      if (!(await isSame(store, name, path))) throw new Error('it came back as another one')
      result.copied += 1
    } catch (error) {
      result.faults.push(`${name}: ${(error as Error).message}`)
    }
  }
  return result
}

async function isSame(store: ObjectStore, name: string, path: string): Promise<boolean> {
  const content = await store.get(name)
  if (!content) return false
  const [one, other] = [createHash('sha256'), createHash('sha256')]
  try {
    await pipeline(content, one)
  } catch {
    return false
  }
  await pipeline(createReadStream(path), other)
  return one.digest().equals(other.digest())
}
