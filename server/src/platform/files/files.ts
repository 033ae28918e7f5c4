import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config/config.ts'
import { isInTransaction } from '../db/transaction.ts'
import { objectStore } from './object-store.ts'

/** Where a file lies below DATA_DIR/files, or below the bucket's prefix; made here, never from what somebody sent. */
export type FileKey = string

const keyShape = /^[a-z-]+\/[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]{1,5}$/
export const isFileKey = (text: string): boolean => keyShape.test(text)

/** A file being written; nobody can read it under its key before `keep`. */
export interface NewFile {
  key: FileKey
  /** Write here. */
  path: string
  keep(): Promise<{ sizeBytes: number }>
  discard(): Promise<void>
}

/** Where files are: in DATA_DIR, or in a bucket. With `checkAnswers`, as in all tests, nothing is kept, opened or removed within a transaction. */
export type FilePlace = Pick<Config, 'dataDir' | 'fileStore'> & Partial<Pick<Config, 'checkAnswers'>>

/**
 * The files of this installation. In DATA_DIR they are readable by us alone, and part of a backup. In a bucket (docs/adr/0068) they are written in
 * DATA_DIR first, and copies stay there for a day; a file that only DATA_DIR has, from before, is read from there.
 */
export function openFiles({ dataDir, fileStore, checkAnswers }: FilePlace) {
  const kept = join(dataDir, 'files')
  const objects = fileStore && objectStore(fileStore)
  const root = objects ? join(dataDir, 'files-copies') : kept
  const demandNoTransaction = () => {
    if (checkAnswers && isInTransaction()) throw new Error('a file is kept, opened or removed within a transaction')
  }
  const below = (folder: string, key: FileKey) => {
    if (!keyShape.test(key)) throw new TypeError(`${key} is no file's key`)
    return join(folder, key)
  }
  const beginAgain = async (key: FileKey): Promise<NewFile> => {
    const path = below(root, key)
    const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return {
      key,
      path: unfinished,
      async keep() {
        demandNoTransaction()
        const { size: sizeBytes } = await stat(unfinished)
        await objects?.put(key, unfinished)
        await rename(unfinished, path)
        return { sizeBytes }
      },
      discard: () => rm(unfinished, { force: true }),
    }
  }
  const read = async (key: FileKey): Promise<Readable | undefined> => {
    demandNoTransaction()
    if (objects) {
      const object = await objects.get(key)
      if (object) return object
    }
    const path = below(kept, key)
    if (!(await isThere(path))) return undefined
    // A reader hears of its error, also one who begins later; nobody may be there yet.
    return createReadStream(path).on('error', () => {})
  }
  const pathOf = async (key: FileKey): Promise<string | undefined> => {
    demandNoTransaction()
    const path = below(root, key)
    if (await isThere(path)) return path
    const content = objects && (await read(key))
    if (!content) return undefined
    const copy = await beginAgain(key)
    await pipeline(content, createWriteStream(copy.path, { mode: 0o600 })).catch(async (error: unknown) => {
      await copy.discard()
      throw error
    })
    await rename(copy.path, path)
    return path
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
    read,
    /** The path of a file that was kept, on a disk of this machine, for the next hours; undefined where it is gone. */
    pathOf,
    /** Where `pathOf` has put a file, or will. */
    placeOf: (key: FileKey): string => below(root, key),
    /** As `pathOf`; throws where the file is gone. */
    async needPath(key: FileKey): Promise<string> {
      const path = await pathOf(key)
      if (path === undefined) throw new Error(`the file ${key} is gone`)
      return path
    },
    /** Forgets a file; one that is gone already is no fault. */
    async remove(key: FileKey): Promise<void> {
      demandNoTransaction()
      await objects?.remove(key)
      for (const folder of new Set([root, kept])) await rm(below(folder, key), { force: true })
    },
    /**
     * Removes what was begun before an instant and never kept: who wrote it was killed; and copies from before then of what a bucket has. Returns
     * how many.
     */
    async forgetUnfinished(before: Date): Promise<number> {
      await mkdir(root, { recursive: true, mode: 0o700 })
      let removed = 0
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (!entry.isFile() || !(objects || path.endsWith('.part'))) continue
        // One that is kept just now has another name already.
        const found = await stat(path).catch(() => undefined)
        if (!found || found.mtime >= before) continue
        await rm(path, { force: true })
        removed += 1
      }
      return removed
    },
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
