import { PassThrough, type Readable } from 'node:stream'
import pg from 'pg'
import { RefusedError } from '../../platform/backup/refused.ts'
import { readPosition } from '../../platform/backup/wal-position.ts'
import { connectionOf } from '../../platform/db/connection.ts'

/** The stream of PostgreSQL's cluster: one tar, with the write-ahead log that makes it consistent at its end. */
export interface BaseBackup {
  tar: Readable
  /** Where in the log it begins and ends, once the tar was read. */
  span(): { from: bigint; to: bigint; timeline: number }
  /** Ends the connection, and with it the slot; what is still being sent is cut off. */
  close(): Promise<void>
}

/**
 * Starts a base backup of a running server over the replication protocol (docs/adr/0014). The temporary slot keeps the
 * write-ahead log that the backup needs until the connection ends. PostgreSQL verifies the checksum of every page it sends.
 */
export async function openBaseBackup(url: string): Promise<BaseBackup> {
  const client = new pg.Client({ ...connectionOf(url), application_name: 'isotherm backup' })
  const copy = new BaseBackupCopy()
  client.on('error', (error) => copy.handleError(error))
  try {
    await client.connect()
    await client.query(`CREATE_REPLICATION_SLOT isotherm_backup_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL)`)
    client.query(copy)
  } catch (error) {
    await client.end()
    throw ended(error as Error)
  }
  return {
    tar: copy.tar,
    span: () => copy.span(),
    async close() {
      copy.tar.destroy()
      await client.end()
    },
  }
}

/** In its own words: a damaged page, say, or that it is shutting down. */
const ended = (error: Error) =>
  error instanceof RefusedError ? error : new RefusedError(`PostgreSQL gave no backup: ${error.message}`)

const OF_ARCHIVE = 'n'.charCodeAt(0)
const OF_DATA = 'd'.charCodeAt(0)

/** The part of the driver's connection that we use; its types leave the rest of the protocol to whoever implements it. */
interface Wire {
  query(text: string): void
  stream: { pause(): void; resume(): void }
}

/** A query as the driver runs it, whose answer is a stream: BASE_BACKUP sends result sets, then one copy of messages. */
class BaseBackupCopy {
  readonly tar = new PassThrough({ highWaterMark: 2 ** 20 })
  readonly #rows: unknown[][] = []
  #archives = 0
  #failed = false

  submit(connection: object): void {
    ;(connection as Wire).query("BASE_BACKUP (LABEL 'isotherm', CHECKPOINT 'fast', WAL, MANIFEST 'no')")
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Wire): void {
    if (chunk[0] === OF_ARCHIVE) {
      this.#archives += 1
      // Tablespaces in the embedded cluster need a backup by other means: we cannot restore where they lie.
      if (this.#archives > 1) this.handleError(new RefusedError('The cluster has tablespaces: use pg_basebackup.'))
    }
    if (chunk[0] !== OF_DATA || this.tar.destroyed) return
    // The driver reuses its buffer as soon as we return.
    if (this.tar.write(Buffer.from(chunk.subarray(1)))) return
    stream.pause()
    // Data that the socket had read already still comes, and finds the stream full.
    if (this.tar.listenerCount('drain') === 0) this.tar.once('drain', () => stream.resume())
  }

  span() {
    const [first, last] = [this.#rows[0], this.#rows.at(-1)].map((row) => (row ?? []).map(String))
    return {
      from: readPosition(first?.[0] ?? ''),
      to: readPosition(last?.[0] ?? ''),
      timeline: Number(last?.[1]),
    }
  }

  handleError(error: Error): void {
    this.#failed = true
    this.tar.destroy(ended(error))
  }

  handleReadyForQuery(): void {
    if (!this.#failed) this.tar.end()
  }

  handleRowDescription(): void {}
  /** First where it begins, then the tablespaces, at last where it ends. */
  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.#rows.push(fields)
  }
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
