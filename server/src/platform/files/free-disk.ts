import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors/app-error.ts'
import type { Log } from '../log/log.ts'

/** Bytes of the disk that DATA_DIR is on: those an ordinary user may still write, and all. */
interface DiskSpace {
  free: number
  total: number
}

const freshMs = 5_000
const retryAfterS = 600

/** Watches the disk of DATA_DIR, where the readings of all companies go as well. */
export class DiskWatch {
  readonly #minimum: Config['minFreeDisk']
  readonly #measure: () => Promise<DiskSpace>
  readonly #log: Log
  #last: { at: number; space: Promise<DiskSpace> } | undefined
  #wasLow = false

  constructor({ minFreeDisk }: Pick<Config, 'minFreeDisk'>, log: Log, measure: () => Promise<DiskSpace>) {
    this.#minimum = minFreeDisk
    this.#measure = measure
    this.#log = log
  }

  /** Whether less is free than the configuration asks for. Measured at most every 5 s; a change is logged. */
  async isLow(): Promise<boolean> {
    const { free, total } = await this.#space()
    const least = Math.max(this.#minimum.bytes, total * this.#minimum.share)
    const isLow = free < least
    if (isLow !== this.#wasLow) {
      this.#wasLow = isLow
      if (isLow) this.#log.error({ free, least }, 'the disk is nearly full: uploads and reports are refused')
      else this.#log.info({ free, least }, 'the disk has room again: uploads and reports are taken')
    }
    return isLow
  }

  /** Throws STORAGE_LOW where something large may not be written now. */
  async refuseLow(): Promise<void> {
    if (await this.isLow()) throw new AppError('STORAGE_LOW', {}, retryAfterS)
  }

  /** Registers the gauges. */
  report(registry: Registry): void {
    const space = () => this.#space()
    new Gauge({
      name: 'disk_free_bytes',
      help: 'Free bytes of the disk that DATA_DIR is on',
      registers: [registry],
      async collect() {
        this.set((await space()).free)
      },
    })
    const isLow = () => this.isLow()
    new Gauge({
      name: 'disk_low',
      help: '1 while less is free than MIN_FREE_DISK: uploads and reports are refused',
      registers: [registry],
      async collect() {
        this.set(Number(await isLow()))
      },
    })
  }

  #space(): Promise<DiskSpace> {
    const at = performance.now()
    if (!this.#last || at - this.#last.at > freshMs) {
      const space = this.#measure()
      // A failure is not remembered.
      space.catch(() => {
        this.#last = undefined
      })
      this.#last = { at, space }
    }
    return this.#last.space
  }
}

/** Measures the disk that a folder is on. */
export const spaceOf = (folder: string) => async (): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
