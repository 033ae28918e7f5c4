import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupStore } from '../../platform/backup/backup-store.ts'
import { type Sealer, seal } from '../../platform/backup/sealed.ts'
import { filesName, readStretch } from '../../platform/backup/stretches.ts'
import { dataEntries, listDataFiles } from './data-files.ts'
import { writeTar } from './tar.ts'

/** Clocks that were set back, and files that were being written while others were listed. */
const SLACK_MS = 60_000

/** Stores the files that were added to DATA_DIR since the base: they have names that are never used again, and never change. */
export class NewFiles {
  readonly #dataDir: string
  readonly #store: BackupStore
  readonly #sealer: Sealer
  #stretch = ''
  #since = 0
  #stored = new Set<string>()

  constructor(dataDir: string, store: BackupStore, sealer: Sealer) {
    this.#dataDir = dataDir
    this.#store = store
    this.#sealer = sealer
  }

  /** Stores those that are not stored yet as one object; returns how many. */
  async store(stretch: string, now: Date): Promise<number> {
    if (stretch !== this.#stretch) await this.#begin(stretch, now)
    const fresh = []
    const recent = new Set<string>()
    for (const path of (await listDataFiles(this.#dataDir)).filter((each) => each.startsWith('files/'))) {
      const about = await stat(join(this.#dataDir, path)).catch(() => null)
      if (!about || about.ctimeMs < this.#since) continue
      if (this.#stored.has(path)) recent.add(path)
      else fresh.push(path)
    }
    if (fresh.length > 0) {
      const name = filesName(stretch, now)
      const tar = writeTar(dataEntries(this.#dataDir, fresh), now.getTime() / 1000)
      await this.#store.put(name, seal(name, {}, tar, this.#sealer))
    }
    this.#since = Math.max(this.#since, now.getTime() - SLACK_MS)
    this.#stored = new Set([...recent, ...fresh])
    return fresh.length
  }

  /** After a start it is known from the last object only up to when files were stored. A new stretch begins with a base, which has them all. */
  async #begin(stretch: string, now: Date): Promise<void> {
    const { files, bases } = readStretch(stretch, await this.#store.list(stretch))
    const last = Math.max(files.at(-1)?.at.getTime() ?? 0, bases.at(-1)?.beganAt.getTime() ?? 0)
    this.#stretch = stretch
    this.#since = (last || now.getTime()) - SLACK_MS
    this.#stored = new Set()
  }
}
