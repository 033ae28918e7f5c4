import { chown, lchown, mkdir, open, readdir, readlink, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RefusedError } from '../../platform/backup/refused.ts'
import { type Account, chooseAccount } from '../../platform/db/embedded/account.ts'
import { makeHome } from '../../platform/db/embedded/location.ts'
import type { Settings } from '../../platform/db/embedded/settings.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { databaseState } from './database-state.ts'
import type { Manifest } from './manifest.ts'
import { needSuitable } from './suits.ts'
import type { TarEntry } from './tar.ts'

export interface Stage {
  /** A data folder of its own inside DATA_DIR, on the same disk, so that its content only has to be renamed. */
  dir: string
  manifest: Manifest
  /** Removes it, with a cluster that had to be put elsewhere. */
  discard(): Promise<void>
}

/** A backup that can be unpacked. */
export interface StageSource {
  hasDatabase: boolean
  /** Gives each file and folder to `take`, which reads it; resolves once all of it is known to be whole. */
  read(take: (entry: TarEntry) => Promise<void>): Promise<Manifest>
  /** Adds what a recovery to an instant needs besides. */
  prepare?(dir: string): Promise<void>
  /** Settings of PostgreSQL for that. */
  settings?: Settings
  /** Words a failure of PostgreSQL to come up. */
  explain?(error: unknown): Promise<unknown>
}

interface StageRequest {
  dataDir: string
  name: string
  systemDir?: string | undefined
  /** Adds what is not in the backup, before everything gets its owner. */
  complete(dir: string): Promise<void>
  /** Told of the PostgreSQL while it runs. */
  look?(url: string, manifest: Manifest, dir: string): Promise<void>
}

/**
 * Unpacks a backup into a folder beside what is in `dataDir`, whose owner gets everything when root restores, and brings its
 * PostgreSQL up once: it replays its log, and says now rather than later if it cannot.
 */
export async function stageBackup(
  source: StageSource,
  { dataDir, name, systemDir, complete, look }: StageRequest,
): Promise<Stage> {
  const dir = join(await realpath(dataDir), name)
  const owner = await ownerOf(dataDir)
  const account = owner ?? chooseAccount()
  await mkdir(dir, { mode: 0o711 })
  const discard = async () => {
    const elsewhere = await readlink(join(dir, 'postgres')).catch(() => null)
    if (elsewhere) await rm(elsewhere, { recursive: true, force: true })
    await rm(dir, { recursive: true, force: true })
  }
  try {
    if (owner) await chown(dir, owner.uid, owner.gid)
    if (source.hasDatabase) await makeHome(join(dir, 'postgres'), dir, account, systemDir)
    const manifest = await source.read((entry) => unpack(entry, dir))
    await source.prepare?.(dir)
    await complete(dir)
    if (source.hasDatabase) {
      if (account) await giveTo(account, join(dir, 'postgres/cluster'))
      await tryOut(dir, manifest, source, { systemDir, look })
    }
    if (owner) for (const each of await readdir(dir)) if (each !== 'postgres') await giveTo(owner, join(dir, each))
    return { dir, manifest, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Whose the data folder is, when root restores for somebody else; null: everything is ours. */
async function ownerOf(dataDir: string): Promise<Account> {
  const { uid, gid } = await stat(dataDir)
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : null
}

export async function unpack({ name, type, mode, body }: TarEntry, dir: string): Promise<void> {
  const path = join(dir, name.replace(/^data\//, '').replace(/^cluster(?=\/)/, 'postgres/cluster'))
  if (type === 'folder') {
    for await (const _ of body);
    await mkdir(path, { recursive: true, mode: 0o700 })
    return
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', mode)
  try {
    await handle.writeFile(body)
    // PostgreSQL makes its own files last when it starts from them.
    if (name.startsWith('data/')) await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Starts and stops the PostgreSQL of the stage, and asks it whether it is what the manifest says, or what followed from that. */
async function tryOut(
  dir: string,
  manifest: Manifest,
  { settings, explain }: StageSource,
  { systemDir, look }: Pick<StageRequest, 'systemDir' | 'look'>,
): Promise<void> {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const options = { dataDir: dir, log, ...(systemDir ? { systemDir } : {}), ...(settings ? { settings } : {}) }
  const database = await startEmbedded(options).catch(async (error: unknown) => {
    throw (await explain?.(error)) ?? error
  })
  try {
    const { migrations } = await databaseState(database.url)
    const listed = manifest.database?.migrations ?? []
    // The log after the backup may hold further migrations.
    const same = JSON.stringify(settings ? migrations.slice(0, listed.length) : migrations) === JSON.stringify(listed)
    if (!same) throw new RefusedError('The database in the backup has other migrations than its manifest says.')
    if (settings && manifest.database)
      await needSuitable({ ...manifest, database: { ...manifest.database, migrations } })
    await look?.(database.url, manifest, dir)
  } finally {
    await database.stop()
  }
}

async function giveTo({ uid, gid }: NonNullable<Account>, path: string): Promise<void> {
  await lchown(path, uid, gid)
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTDIR') throw error
      return []
    },
  )
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), uid, gid)
}
