import { createHash } from 'node:crypto'
import { type FileHandle, link, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { signedLedgerFile } from '../../platform/audit/signed-ledger.ts'
import { openBaseBackup } from './base-backup.ts'
import { bytesOf, dataEntries, listDataFiles } from './data-files.ts'
import { type DatabaseState, databaseState } from './database-state.ts'
import { hashed } from './hashed.ts'
import { keyFiles, publicKeys, publicKeysFile } from './keys.ts'
import { FORMAT, type ListedFile, MANIFEST, type Manifest, SEAL, sealOf } from './manifest.ts'
import { packing } from './packed.ts'
import { RefusedError } from './refused.ts'
import { type FreeBytes, needRoom } from './room.ts'
import { readTar, type TarEntry, wholeFile, writeTar } from './tar.ts'

export interface BackupOptions {
  dataDir: string
  /** The new file, or an existing folder in which it gets a name by the time. */
  to: string
  /** The running embedded server; null for the files of DATA_DIR alone. */
  database: { url: string; backupUrl: string } | null
  /** Replaces a file of that name. */
  force: boolean
  /** Whether the installation's keys are in it, too; else only their public halves. */
  withKeys: boolean
  now: Date
  /** Hears every ten seconds how much has been read, in bytes. */
  onProgress?: (done: number, expected: number) => void
  signal?: AbortSignal
  freeBytes?: FreeBytes
}

export interface MadeBackup {
  file: string
  manifest: Manifest
  /** Before and after compression. */
  bytes: number
  packedBytes: number
}

// Readings pack to a fifth and better; reports and pictures do not. What it really takes is watched while it is written.
const PACKED_SHARE = 1 / 2
const WATCH_EVERY_BYTES = 64e6

/**
 * Writes one backup of everything while the server works. The cluster is as it was at the end of PostgreSQL's own backup; files
 * that people attach are read before and after it, so that all it speaks of are there. The file has its name once it is whole.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { dataDir, database, signal } = options
  const file = await nameOf(options)
  const dir = dirname(file)
  const before = database && (await databaseState(database.url))
  const dataBytes = await bytesOf(dataDir, await listDataFiles(dataDir))
  await needRoom(dir, (before?.bytes ?? 0) * PACKED_SHARE + dataBytes, options.freeBytes)
  const unfinished = `${file}.${process.pid}.unfinished`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    const source = new Source(options, before)
    const counted = watched(options, dir, source.bytes(), (before?.bytes ?? 0) + dataBytes)
    await pipeline(counted, packing(file), (packed: AsyncIterable<Buffer>) => handle.writeFile(packed), {
      ...(signal ? { signal } : {}),
    })
    await handle.sync()
    const { size } = await handle.stat()
    await publish(unfinished, file, options.force)
    return { file, manifest: source.manifest(), bytes: source.read, packedBytes: size }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new RefusedError(`The disk of ${dir} is full.`)
    throw error
  } finally {
    await handle.close()
    await rm(unfinished, { force: true })
  }
}

/** The archive as a stream of bytes, which writes down what went by. */
class Source {
  readonly #options: BackupOptions
  readonly #before: DatabaseState | null
  readonly #files: ListedFile[] = []
  read = 0

  constructor(options: BackupOptions, before: DatabaseState | null) {
    this.#options = options
    this.#before = before
  }

  async *bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of writeTar(this.#entries(), this.#options.now.getTime() / 1000)) {
      this.read += chunk.length
      yield chunk
    }
  }

  manifest(): Manifest {
    const { now } = this.#options
    const database = this.#before && { postgres: this.#before.postgres, migrations: this.#before.migrations }
    const platform = `${process.platform}-${process.arch}`
    return { format: FORMAT, version, createdAt: now.toISOString(), platform, database, files: this.#files }
  }

  async *#entries(): AsyncGenerator<TarEntry> {
    const { dataDir, withKeys } = this.#options
    // Signatures are read before the database, which must not be behind them in the backup.
    const isEarly = (path: string) => path.startsWith('files/') || path === signedLedgerFile
    const early = (await listDataFiles(dataDir)).filter(isEarly)
    yield* this.#noted(dataEntries(dataDir, early))
    yield* this.#noted(this.#clusterEntries())
    const known = new Set(this.#files.map(({ path }) => path))
    const isSecret = (path: string) => !withKeys && keyFiles.some((name) => name === path)
    const late = (await listDataFiles(dataDir)).filter((path) => !known.has(`data/${path}`) && !isSecret(path))
    yield* this.#noted(dataEntries(dataDir, late))
    yield* this.#noted(this.#publicKeys())
    const text = Buffer.from(`${JSON.stringify(this.manifest(), null, 1)}\n`)
    yield wholeFile(MANIFEST, text)
    yield wholeFile(SEAL, sealOf(text))
  }

  async *#publicKeys(): AsyncGenerator<TarEntry> {
    const { dataDir, withKeys } = this.#options
    const keys = withKeys ? undefined : await publicKeys(dataDir)
    if (keys) yield wholeFile(`data/${publicKeysFile}`, keys)
  }

  async *#clusterEntries(): AsyncGenerator<TarEntry> {
    const { database } = this.#options
    if (!database) return
    const base = await openBaseBackup(database.backupUrl)
    try {
      for await (const entry of readTar(base.tar))
        yield { ...entry, name: `cluster/${entry.name.replace(/^\.\//, '')}` }
    } finally {
      await base.close()
    }
    const { migrations } = await databaseState(database.url)
    if (JSON.stringify(migrations) !== JSON.stringify(this.#before?.migrations)) {
      throw new RefusedError('The database was migrated meanwhile: begin again.')
    }
  }

  async *#noted(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
    for await (const entry of entries) {
      const hash = createHash('sha256')
      yield { ...entry, body: hashed(entry.body, hash) }
      if (entry.type === 'file') this.#files.push({ path: entry.name, bytes: entry.size, sha256: hash.digest('hex') })
    }
  }
}

/** Stops before the disk is full, which would stop PostgreSQL if it is its disk, too. */
async function* watched(
  { onProgress, freeBytes }: BackupOptions,
  dir: string,
  bytes: AsyncIterable<Buffer>,
  expected: number,
): AsyncGenerator<Buffer> {
  let [done, watchedAt, toldAt] = [0, 0, Date.now()]
  for await (const chunk of bytes) {
    yield chunk
    done += chunk.length
    if (done - watchedAt > WATCH_EVERY_BYTES) {
      watchedAt = done
      await needRoom(dir, 0, freeBytes)
    }
    if (Date.now() - toldAt > 10_000) {
      toldAt = Date.now()
      onProgress?.(done, expected)
    }
  }
}

/** The path of the new file, once it may have it. */
async function nameOf({ to, dataDir, force, now }: BackupOptions): Promise<string> {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const isFolder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const target = resolve(isFolder ? join(to, `isotherm-${stamp}.tar.zst`) : to)
  const dir = await realpath(dirname(target)).catch(() => {
    throw new RefusedError(`There is no folder ${dirname(target)}.`)
  })
  if (`${dir}${sep}`.startsWith(`${await realpath(dataDir)}${sep}`)) {
    throw new RefusedError(`${target} is in DATA_DIR, which is what is backed up: choose a place elsewhere.`)
  }
  const file = join(dir, basename(target))
  if (!force && (await stat(file).catch(() => null)))
    throw new RefusedError(`${file} exists already (--force replaces it).`)
  return file
}

/** Gives it its name, in one step, and makes that last. */
async function publish(unfinished: string, file: string, force: boolean): Promise<void> {
  if (force) await rename(unfinished, file)
  // Unlike rename(), link() never replaces; a file system without links has to do with the look we took before.
  else
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new RefusedError(`${file} exists already (--force replaces it).`)
      return rename(unfinished, file)
    })
  const dir: FileHandle = await open(dirname(file))
  await dir.sync().finally(() => dir.close())
}

const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
