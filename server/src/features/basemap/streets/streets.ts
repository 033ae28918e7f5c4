import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { NoArchive, PmtilesArchive } from './pmtiles.ts'

export interface OpenStreets {
  archive: PmtilesArchive
  /** Another one for every file that was put here. */
  version: string
}

const lookEveryMs = 10_000

/** The archive of streets that the operator may put beside the data, change, and take away while the server runs. */
export class Streets {
  readonly #path: string
  readonly #complain: (error: unknown) => void
  #open: OpenStreets | null = null
  #refused = ''
  #lookAt = 0
  #looking: Promise<OpenStreets | null> | undefined

  constructor(path: string, complain: (error: unknown) => void) {
    this.#path = path
    this.#complain = complain
  }

  /** Null where there is none, or one that cannot be read, which is told once. */
  find(): Promise<OpenStreets | null> {
    if (Date.now() < this.#lookAt) return this.#looking ?? Promise.resolve(this.#open)
    this.#lookAt = Date.now() + lookEveryMs
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** A part of the archive could not be read: it is not offered any more, until there is another one. */
  refuse({ version }: OpenStreets, error: unknown): void {
    if (this.#open?.version !== version) return
    void this.#open.archive.close()
    this.#open = null
    this.#refuse(version, error)
  }

  #refuse(version: string, error: unknown): void {
    this.#refused = version
    this.#complain(error instanceof NoArchive ? new Error(`${this.#path} is not used: ${error.message}`) : error)
  }

  async close(): Promise<void> {
    await this.#looking
    await this.#open?.archive.close()
    this.#open = null
  }

  async #look(): Promise<OpenStreets | null> {
    const found = await stat(this.#path).catch(() => null)
    const version = found?.isFile() ? hashOf(`${found.size} ${found.mtimeMs} ${found.ino}`) : ''
    if (version === (this.#open?.version ?? this.#refused)) return this.#open
    await this.#open?.archive.close()
    this.#open = null
    this.#refused = ''
    if (version === '') return null
    try {
      this.#open = { archive: await PmtilesArchive.open(this.#path), version }
    } catch (error) {
      this.#refuse(version, error)
    }
    return this.#open
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
