import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { AppError } from '../errors/app-error.ts'
import { type FileKey, type FilePlace, openFiles } from './files.ts'

/** Bytes that are in the store, for a row to name. */
export interface StoredBytes {
  key: FileKey
  type: string
  sizeBytes: number
  sha256: Buffer
}

/** Keeps bytes in an area, before the transaction whose row names them. */
export async function keepBytes(place: FilePlace, area: string, type: string, bytes: Buffer): Promise<StoredBytes> {
  const file = await openFiles(place).begin(area, type)
  try {
    await writeFile(file.path, bytes, { mode: 0o600, flush: true })
    await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
  return { key: file.key, type, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}

/** Removes what no row names; what cannot be removed now is found by the sweep of orphans. */
export async function removeQuietly(place: FilePlace, keys: readonly FileKey[]): Promise<void> {
  await Promise.all(
    keys.map((key) =>
      openFiles(place)
        .remove(key)
        .catch(() => {}),
    ),
  )
}

/** Keeps bytes before `work`, whose transaction says whether a row names them; removes them where it is refused or none does. */
export async function withBytes(
  place: FilePlace,
  { area, type, bytes }: { area: string; type: string; bytes: Buffer },
  work: (stored: StoredBytes) => Promise<boolean>,
): Promise<boolean> {
  const stored = await keepBytes(place, area, type, bytes)
  try {
    const isUsed = await work(stored)
    if (!isUsed) await removeQuietly(place, [stored.key])
    return isUsed
  } catch (error) {
    if (error instanceof AppError) await removeQuietly(place, [stored.key])
    throw error
  }
}

class NotStoredError extends Error {
  constructor() {
    super('the file was not stored before the transaction')
  }
}

const storedFiles = new WeakMap<File, StoredBytes>()
const used = new WeakSet<StoredBytes>()

/** The file of a call as `Uploads.keep` stored it before the transaction; from now on a row names it. */
export function useUpload(file: File): StoredBytes {
  const stored = storedFiles.get(file)
  if (!stored) throw new NotStoredError()
  used.add(stored)
  return stored
}

/** Takes back that a row names a file: the call had no use for it. */
export const leaveUpload = (stored: StoredBytes): void => void used.delete(stored)

/** The files that came with one call: stored before its transaction, and removed again where it is refused or did not use them. */
export class Uploads {
  readonly #place: FilePlace
  readonly #stored: StoredBytes[] = []
  #refusal: AppError | null = null

  constructor(place: FilePlace) {
    this.#place = place
  }

  async keep(file: File, area: string, type: string, bytes: Buffer): Promise<void> {
    const stored = await keepBytes(this.#place, area, type, bytes)
    this.#stored.push(stored)
    storedFiles.set(file, stored)
  }

  /** Stores a file. Where it is refused the call fails once it needs the file: that there is nothing to add it to is said first. */
  async store(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#refusal = error
    }
  }

  /** An error that is no refusal may have come after the commit: then the sweep of orphans decides. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      await this.#remove(this.#stored.filter((one) => !used.has(one)))
      return result
    } catch (thrown) {
      const error = thrown instanceof NotStoredError && this.#refusal ? this.#refusal : thrown
      if (error instanceof AppError) await this.#remove(this.#stored)
      throw error
    }
  }

  #remove(stored: readonly StoredBytes[]) {
    return removeQuietly(
      this.#place,
      stored.map(({ key }) => key),
    )
  }
}
