import { type FileHandle, link, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { RefusedError } from '../../platform/backup/refused.ts'
import { Archive, type ArchiveOptions } from './archive.ts'
import { bytesOf, listDataFiles } from './data-files.ts'
import { databaseState } from './database-state.ts'
import type { Manifest } from './manifest.ts'
import { packing } from './packed.ts'
import { type FreeBytes, needRoom } from './room.ts'

export interface BackupOptions extends ArchiveOptions {
  /** The new file, or an existing folder in which it gets a name by the time. */
  to: string
  /** Replaces a file of that name. */
  force: boolean
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
    const source = new Archive(options, before)
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
