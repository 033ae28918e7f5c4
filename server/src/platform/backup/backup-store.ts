import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { RefusedError } from './refused.ts'

export interface StoredObject {
  name: string
  bytes: number
  /** When it was put, ms. */
  storedAt: number
}

/** There is no object of that name: perhaps any more, as pieces of the log are put together. */
export class Absent extends RefusedError {}

/** A place for backups: objects by names with slashes. All that is known of the place is here, so that another kind can be added. */
export interface BackupStore {
  /** For people. */
  place: string
  /** Puts an object, in place of one of that name. Once this resolves it is whole and lasts; until then it is not there. Returns its bytes. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Objects whose names begin with a folder's (`a/b`), ordered by name; '' lists all. */
  list(folder: string): Promise<StoredObject[]>
  /** Throws Absent. */
  get(name: string): Promise<Readable>
  /** Removes an object; one that is gone already is no fault. */
  remove(name: string): Promise<void>
  /** Removes what killed processes left of objects that they put, where nothing was added to it since an instant. */
  removeUnfinished(before: Date): Promise<void>
  /** Room for more, in bytes; null where that is not known. */
  freeBytes(): Promise<number | null>
}

export async function putText(store: BackupStore, name: string, text: string): Promise<void> {
  async function* content() {
    yield Buffer.from(text)
  }
  await store.put(name, content())
}

/** A folder on a disk, which had better not be that of DATA_DIR. Objects are readable by us alone. */
export function diskStore(dir: string): BackupStore {
  return {
    place: dir,
    async put(name, content) {
      const path = join(dir, name)
      await makeFolder(dirname(path))
      const unfinished = `${path}.${process.pid}.part`
      const handle = await open(unfinished, 'w', 0o600)
      let bytes = 0
      try {
        for await (const chunk of content) {
          await handle.writeFile(chunk)
          bytes += chunk.length
        }
        await handle.sync()
      } catch (error) {
        await rm(unfinished, { force: true })
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new RefusedError(`The disk of ${dir} is full.`)
        throw error
      } finally {
        await handle.close()
      }
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return bytes
    },
    async list(folder) {
      const root = join(dir, folder)
      const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(absent)
      const paths = (entries ?? [])
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
        .map((entry) => join(entry.parentPath, entry.name))
      const found: StoredObject[] = []
      for (const path of paths.sort()) {
        const about = await stat(path).catch(absent)
        if (about) found.push({ name: path.slice(join(dir, '/').length), bytes: about.size, storedAt: about.mtimeMs })
      }
      return found
    },
    async get(name) {
      const path = join(dir, name)
      const handle = await open(path).catch(absent)
      if (!handle) throw new Absent(`There is no ${path}.`)
      return handle.createReadStream({ highWaterMark: 2 ** 20 })
    },
    remove: (name) => rm(join(dir, name), { force: true }),
    async removeUnfinished(before) {
      const entries = (await readdir(dir, { recursive: true, withFileTypes: true }).catch(absent)) ?? []
      for (const { name, parentPath } of entries) {
        const path = join(parentPath, name)
        const about = name.endsWith('.part') ? await stat(path).catch(absent) : null
        if (about?.isFile() && about.mtime < before) await rm(path, { force: true })
      }
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(dir)
      return bavail * bsize
    },
  }
}

/** The entry of each new folder must last as well as what is put into it. */
async function makeFolder(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: 0o700 })
  for (let made = dir; first && made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir)
  await handle.sync().finally(() => handle.close())
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
