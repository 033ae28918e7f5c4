import { existsSync } from 'node:fs'
import { readdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restoredFile } from '../../core/billing/pause-after-restore.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { LockedError, lock } from '../../platform/db/embedded/lock.ts'
import { belongsTo, readPidFile } from '../../platform/db/embedded/processes.ts'
import { makeFolder } from '../../platform/files/make-folder.ts'
import { keysFor, placeKeys } from './keys.ts'
import type { Manifest } from './manifest.ts'
import { readBackup } from './read-backup.ts'
import { type FreeBytes, needRoom } from './room.ts'
import { type StageSource, stageBackup } from './stage.ts'
import { needSuitable } from './suits.ts'
import { swap } from './swap.ts'

export interface PlaceOptions {
  dataDir: string
  /** Whether the installation has the embedded PostgreSQL, or one of its own, to which only files are restored. */
  embedded: boolean
  /** Moves what is in DATA_DIR aside. */
  replace: boolean
  /** A file that `backup --keys` wrote, for a backup without keys. */
  keysFile?: string | undefined
  /** Makes new keys where there are none. */
  newKeys?: boolean | undefined
  now: Date
  freeBytes?: FreeBytes
  /** Tests only: another place than /var/lib/isotherm. */
  systemDir?: string
}

export interface RestoreOptions extends PlaceOptions {
  file: string
}

/** `aside` is where the former content of DATA_DIR is now; null where there was none. */
export type Restored = { manifest: Manifest; aside: string | null }

/** Reads a whole backup and throws where this version could not restore it. Changes nothing. */
export async function checkBackup(file: string): Promise<Manifest> {
  const manifest = await readBackup(file)
  await needSuitable(manifest)
  return manifest
}

/** Brings an installation back as it was. Whatever is in the way is found before anything is changed. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { file } = options
  return restoreInto(options, async () => {
    const manifest = await checkBackup(file)
    return {
      about: manifest,
      bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
      source: { hasDatabase: manifest.database !== null, read: (take) => readBackup(file, take) },
    }
  })
}

/** A backup that was looked at, and what it needs. */
export interface BackupToRestore {
  about: Pick<Manifest, 'database' | 'files'>
  /** Unpacked. */
  bytes: number
  /** Readings by day when it was made, where that is known. */
  readings?: { day: string; count: number }[]
  /** The base that it begins with, and the secret in it. */
  base?: { name: string; drillSecret: string | undefined }
  source: StageSource
}

/** Puts a backup, which `find` finds once the place for it is known to be free, into DATA_DIR. */
export async function restoreInto(options: PlaceOptions, find: () => Promise<BackupToRestore>): Promise<Restored> {
  const { embedded, dataDir, now } = options
  await needQuiet(dataDir)
  const old = await contentOf(dataDir)
  if (old.length > 0 && !options.replace) {
    throw new RefusedError(
      `${dataDir} is not empty. --replace moves what is in it aside (into a folder in it); nothing is deleted.`,
    )
  }
  const { about, bytes, source } = await find()
  needDatabase(about, embedded)
  const { keysFile, newKeys = false, replace } = options
  const keys = await keysFor(about, { keysFile, isNew: newKeys, replaced: replace ? dataDir : undefined })
  await makeFolder(dataDir, 0o711)
  const place = await realpath(dataDir)
  await needRoom(place, bytes, options.freeBytes)
  const release = await hold(place)
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  try {
    const name = `restoring-${stamp}`
    const complete = async (dir: string) => {
      await placeKeys(dir, keys, now)
      await writeFile(join(dir, restoredFile), `${now.toISOString()}\n`, { mode: 0o600 })
    }
    const stage = await stageBackup(source, { dataDir: place, name, systemDir: options.systemDir, complete })
    try {
      const present = (await contentOf(place)).filter((name) => join(place, name) !== stage.dir)
      if (present.join() !== old.join())
        throw new RefusedError(`Somebody else works in ${dataDir}: nothing was changed.`)
      const aside = join(place, `before-restore-${stamp}`)
      await swap(place, stage.dir, aside, old)
      return { manifest: stage.manifest, aside: old.length > 0 ? aside : null }
    } catch (error) {
      await stage.discard()
      throw error
    }
  } finally {
    await release()
  }
}

function needDatabase({ database }: Pick<Manifest, 'database'>, embedded: boolean): void {
  if (database && !embedded) {
    throw new RefusedError('The backup holds a cluster of the embedded PostgreSQL: unset DATABASE_URL to restore it.')
  }
  if (!database && embedded) {
    throw new RefusedError(
      'The backup holds the files of an installation with a PostgreSQL of its own, and no database: set DATABASE_URL.',
    )
  }
}

/** The content of a folder, without the folders that earlier restores put aside there. */
async function contentOf(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  return names.filter((name) => name !== 'lost+found' && !name.startsWith('before-restore-')).sort()
}

/** Throws when a server, or a PostgreSQL that one left behind, runs on this folder. */
async function needQuiet(dataDir: string): Promise<void> {
  await (await hold(dataDir))()
  const cluster = await realpath(join(dataDir, 'postgres/cluster')).catch(() => null)
  const running = cluster && readPidFile(cluster)
  if (running && belongsTo(cluster, running.pid)) {
    throw new RefusedError(
      `A PostgreSQL of ${dataDir} still runs (process ${running.pid}): start and stop the server, which takes care of it.`,
    )
  }
}

/** Keeps servers away from the cluster that is there, if one is, until released. */
async function hold(dataDir: string): Promise<() => Promise<void>> {
  const home = join(dataDir, 'postgres')
  if (!existsSync(home)) return async () => {}
  const held = await lock(await realpath(home)).catch((error: unknown) => {
    if (error instanceof LockedError) {
      throw new RefusedError(`${dataDir} is in use by a server (process ${error.holder}): stop it first.`)
    }
    throw error
  })
  return held.release
}
