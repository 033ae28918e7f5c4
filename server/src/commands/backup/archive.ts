import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { signedLedgerFile } from '../../platform/audit/signed-ledger.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { type BaseBackup, openBaseBackup } from './base-backup.ts'
import { dataEntries, listDataFiles } from './data-files.ts'
import { type DatabaseState, databaseState } from './database-state.ts'
import { hashed } from './hashed.ts'
import { keyFiles, publicKeys, publicKeysFile } from './keys.ts'
import { FORMAT, type ListedFile, MANIFEST, type Manifest, SEAL, sealOf } from './manifest.ts'
import { readTar, type TarEntry, wholeFile, writeTar } from './tar.ts'

export interface ArchiveOptions {
  dataDir: string
  /** The running embedded server; null for the files of DATA_DIR alone. */
  database: { url: string; backupUrl: string } | null
  /** Whether the installation's keys are in it, too; else only their public halves. */
  withKeys: boolean
  now: Date
}

/** The archive as a stream of bytes, which writes down what went by. */
export class Archive {
  readonly #options: ArchiveOptions
  readonly #before: DatabaseState | null
  readonly #files: ListedFile[] = []
  read = 0
  /** The part of the log that the cluster needs; null before it was read, and without one. */
  span: ReturnType<BaseBackup['span']> | null = null

  constructor(options: ArchiveOptions, before: DatabaseState | null) {
    this.#options = options
    this.#before = before
  }

  async *bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of writeTar(this.#entries(), this.#options.now.getTime() / 1000)) {
      this.read += chunk.length
      yield chunk
    }
  }

  manifest(): Manifest {
    const { now } = this.#options
    const database = this.#before && { postgres: this.#before.postgres, migrations: this.#before.migrations }
    const platform = `${process.platform}-${process.arch}`
    return { format: FORMAT, version, createdAt: now.toISOString(), platform, database, files: this.#files }
  }

  async *#entries(): AsyncGenerator<TarEntry> {
    const { dataDir, withKeys } = this.#options
    // Signatures are read before the database, which must not be behind them in the backup.
    const isEarly = (path: string) => path.startsWith('files/') || path === signedLedgerFile
    const early = (await listDataFiles(dataDir)).filter(isEarly)
    yield* this.#noted(dataEntries(dataDir, early))
    yield* this.#noted(this.#clusterEntries())
    const known = new Set(this.#files.map(({ path }) => path))
    const isSecret = (path: string) => !withKeys && keyFiles.some((name) => name === path)
    const late = (await listDataFiles(dataDir)).filter((path) => !known.has(`data/${path}`) && !isSecret(path))
    yield* this.#noted(dataEntries(dataDir, late))
    yield* this.#noted(this.#publicKeys())
    const text = Buffer.from(`${JSON.stringify(this.manifest(), null, 1)}\n`)
    yield wholeFile(MANIFEST, text)
    yield wholeFile(SEAL, sealOf(text))
  }

  async *#publicKeys(): AsyncGenerator<TarEntry> {
    const { dataDir, withKeys } = this.#options
    const keys = withKeys ? undefined : await publicKeys(dataDir)
    if (keys) yield wholeFile(`data/${publicKeysFile}`, keys)
  }

  async *#clusterEntries(): AsyncGenerator<TarEntry> {
    const { database } = this.#options
    if (!database) return
    const base = await openBaseBackup(database.backupUrl)
    try {
      for await (const entry of readTar(base.tar))
        yield { ...entry, name: `cluster/${entry.name.replace(/^\.\//, '')}` }
      this.span = base.span()
    } finally {
      await base.close()
    }
    const { migrations } = await databaseState(database.url)
    if (JSON.stringify(migrations) !== JSON.stringify(this.#before?.migrations)) {
      throw new RefusedError('The database was migrated meanwhile: begin again.')
    }
  }

  async *#noted(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
    for await (const entry of entries) {
      const hash = createHash('sha256')
      yield { ...entry, body: hashed(entry.body, hash) }
      if (entry.type === 'file') this.#files.push({ path: entry.name, bytes: entry.size, sha256: hash.digest('hex') })
    }
  }
}

export const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
