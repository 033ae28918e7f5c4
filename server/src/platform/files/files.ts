import { randomBytes } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a file lies below DATA_DIR/files; made here, never from what somebody sent. */
export type FileKey = string

const keyShape = /^[a-z-]+\/[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]{1,5}$/

/** A file being written; nobody can read it under its key before `keep`. */
export interface NewFile {
  key: FileKey
  /** Write here. */
  path: string
  keep(): Promise<{ sizeBytes: number }>
  discard(): Promise<void>
}

/** The files of this installation: in DATA_DIR, readable by us alone, and part of a backup. */
export function openFiles(dataDir: string) {
  const root = join(dataDir, 'files')
  const pathOf = (key: FileKey) => {
    if (!keyShape.test(key)) throw new TypeError(`${key} is no file's key`)
    return join(root, key)
  }
  const beginAgain = async (key: FileKey): Promise<NewFile> => {
    const path = pathOf(key)
    const unfinished = `${path}.part`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return {
      key,
      path: unfinished,
      async keep() {
        await rename(unfinished, path)
        return { sizeBytes: (await stat(path)).size }
      },
      discard: () => rm(unfinished, { force: true }),
    }
  }
  return {
    /** Begins a file in an area such as `device-reports`, with a name nobody can guess. */
    begin(area: string, extension: string): Promise<NewFile> {
      const name = randomBytes(16).toString('hex')
      return beginAgain(`${area}/${name.slice(0, 2)}/${name}.${extension}`)
    },
    /** Begins a file that was kept and lost: it takes its place once it is kept. */
    beginAgain,
    /** The content of a file that was kept; undefined where it is gone. */
    async read(key: FileKey): Promise<ReadStream | undefined> {
      const path = pathOf(key)
      const isThere = await stat(path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
          return false
        },
      )
      return isThere ? createReadStream(path) : undefined
    },
    /** Forgets a file; one that is gone already is no fault. */
    remove: (key: FileKey): Promise<void> => rm(pathOf(key), { force: true }),
    /** Removes what was begun before an instant and never kept: who wrote it was killed. Returns how many. */
    async forgetUnfinished(before: Date): Promise<number> {
      await mkdir(root, { recursive: true, mode: 0o700 })
      let removed = 0
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (!entry.isFile() || !path.endsWith('.part')) continue
        // One that is kept just now has another name already.
        const found = await stat(path).catch(() => undefined)
        if (!found || found.mtime >= before) continue
        await rm(path, { force: true })
        removed += 1
      }
      return removed
    },
    pathOf,
  }
}
