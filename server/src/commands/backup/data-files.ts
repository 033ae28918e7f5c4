import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TarEntry } from './tar.ts'

/**
 * The parts of DATA_DIR that no backup holds: the cluster, which PostgreSQL itself copies, with its password (the next start makes a
 * new one), what is made anew from packages, maps (gigabytes that
 * can be loaded again), and what earlier restores put aside.
 */
export const isLeftOut = (name: string): boolean =>
  ['postgres', 'postgres.json', 'postgres.json.new', 'cache', 'maps', 'lost+found'].includes(name) ||
  /^(before-restore|restoring)-/.test(name)

/** Paths below DATA_DIR of all that is backed up besides the cluster, files that are only being written left out. */
export async function listDataFiles(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const name of (await readdir(dataDir)).filter((each) => !isLeftOut(each)).sort()) {
    // An operator may have put `files` on another disk, behind a link.
    const about = await stat(join(dataDir, name)).catch(() => null)
    if (about?.isFile()) found.push(name)
    if (about?.isDirectory()) found.push(...(await below(join(dataDir, name))).map((path) => `${name}/${path}`))
  }
  return found.filter((path) => !path.endsWith('.part'))
}

async function below(dir: string): Promise<string[]> {
  const root = await realpath(dir)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** Bytes of these files together; those that are gone by now count nothing. */
export async function bytesOf(dataDir: string, paths: string[]): Promise<number> {
  let bytes = 0
  for (const path of paths) bytes += (await stat(join(dataDir, path)).catch(() => null))?.size ?? 0
  return bytes
}

/** The files as entries `data/...`. One that is gone by now was forgotten meanwhile, which is no fault. */
export async function* dataEntries(dataDir: string, paths: string[]): AsyncGenerator<TarEntry> {
  for (const path of paths) {
    const handle = await open(join(dataDir, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return null
    })
    if (!handle) continue
    try {
      const { size, mode } = await handle.stat()
      yield { name: `data/${path}`, type: 'file', size, mode: mode & 0o777, body: contentOf(handle, size) }
    } finally {
      await handle.close()
    }
  }
}

const CHUNK = 2 ** 18

/** As many bytes as it had when its header was made, should it grow just now. */
async function* contentOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const most = Math.min(CHUNK, size - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(most), 0, most, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
