import pg from 'pg'
import { connectionOf } from '../db/connection.ts'
import { RefusedError } from './refused.ts'
import { positionText } from './wal-position.ts'
import type { WalWriter } from './wal-writer.ts'

/** How far the server is, as it says itself. */
export interface ServerPosition {
  end: bigint
  at: Date
}

interface Received {
  url: string
  slot: string
  timeline: number
  writer: WalWriter
  /** Told after each message of the server, and after each time that something was stored. */
  onProgress: (server: ServerPosition) => void
  signal: AbortSignal
}

/** The received log is stored at least so often: the most that is lost with the machine. */
export const storeEveryMs = 1_000
const STORE_AT_BYTES = 2n ** 20n
const ANSWER_EVERY_MS = 10_000
/** Full segments in memory after which the server is not read any further. */
const MAX_WAITING = 3

/**
 * Receives the log of a stretch until the signal or the end of the connection, which throws; then what was received is stored, too. Only
 * what the store has for good is reported to PostgreSQL as flushed, and PostgreSQL keeps the rest.
 */
export async function receiveWal({ url, slot, timeline, writer, onProgress, signal }: Received): Promise<void> {
  const client = new pg.Client({ ...connectionOf(url), application_name: 'isotherm backup', keepAlive: true })
  const copy = new WalCopy(
    writer,
    onProgress,
    `START_REPLICATION SLOT "${slot}" PHYSICAL ${positionText(writer.received)} TIMELINE ${timeline}`,
  )
  client.on('error', (error) => copy.handleError(error))
  await client.connect()
  const end = () => copy.handleError(null)
  signal.addEventListener('abort', end, { once: true })
  try {
    if (signal.aborted) return
    client.query(copy)
    await copy.run()
  } finally {
    signal.removeEventListener('abort', end)
    await client.end()
  }
}

/** The part of the driver's connection that we use. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  stream: { pause(): void; resume(): void }
}

const OF_LOG = 'w'.charCodeAt(0)
const OF_LIFE = 'k'.charCodeAt(0)
const OF_STATUS = 'r'.charCodeAt(0)
/** PostgreSQL counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

/** A query as the driver runs it, which becomes a copy in both directions. */
class WalCopy {
  readonly #writer: WalWriter
  readonly #onProgress: (server: ServerPosition) => void
  readonly #text: string
  #wire: Wire | undefined
  #over: Error | null | undefined
  #isPaused = false
  #server: ServerPosition = { end: 0n, at: new Date(0) }
  #answeredAt = 0
  #wake: () => void = () => {}

  constructor(writer: WalWriter, onProgress: (server: ServerPosition) => void, text: string) {
    this.#writer = writer
    this.#onProgress = onProgress
    this.#text = text
  }

  submit(connection: object): void {
    this.#wire = connection as Wire
    this.#wire.query(this.#text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    if (this.#over !== undefined) return
    try {
      if (chunk[0] === OF_LIFE) {
        this.#hear(chunk.readBigUInt64BE(1), chunk.readBigInt64BE(9))
        if (chunk[17] === 1) this.#answer()
      }
      if (chunk[0] !== OF_LOG) return
      const start = chunk.readBigUInt64BE(1)
      this.#hear(chunk.readBigUInt64BE(9), chunk.readBigInt64BE(17))
      this.#writer.take(start, chunk.subarray(25))
      if (this.#writer.waiting >= MAX_WAITING && !this.#isPaused) {
        this.#isPaused = true
        wire.stream.pause()
      }
      if (this.#writer.received - this.#writer.stored >= STORE_AT_BYTES) this.#wake()
    } catch (error) {
      this.handleError(error as Error)
    }
  }

  #hear(end: bigint, clockUs: bigint): void {
    const ms = EPOCH_MS + Number(clockUs / 1000n)
    this.#writer.hear(end, ms)
    this.#server = { end: end > this.#server.end ? end : this.#server.end, at: new Date(ms) }
    this.#onProgress(this.#server)
  }

  /** Stores and answers until the connection is over; throws why, or nothing where it was ended by us. */
  async run(): Promise<void> {
    while (this.#over === undefined) {
      await this.#pause()
      const before = this.#writer.stored
      await this.#writer.store()
      if (this.#isPaused) {
        this.#isPaused = false
        this.#wire?.stream.resume()
      }
      if (this.#over !== undefined) break
      if (this.#writer.stored > before || Date.now() - this.#answeredAt > ANSWER_EVERY_MS) this.#answer()
      if (this.#writer.stored > before) this.#onProgress(this.#server)
    }
    await this.#writer.store()
    if (this.#over) throw this.#over
  }

  #pause(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, storeEveryMs)
      this.#wake = () => {
        clearTimeout(timer)
        done()
      }
    })
  }

  #answer(): void {
    this.#answeredAt = Date.now()
    const status = Buffer.alloc(34)
    status[0] = OF_STATUS
    status.writeBigUInt64BE(this.#writer.received, 1)
    status.writeBigUInt64BE(this.#writer.stored, 9)
    status.writeBigInt64BE(BigInt(Date.now() - EPOCH_MS) * 1000n, 25)
    this.#wire?.sendCopyFromChunk(status)
  }

  handleError(error: Error | null): void {
    if (this.#over === undefined) this.#over = error && new RefusedError(`PostgreSQL sends no log: ${error.message}`)
    this.#wake()
  }

  handleReadyForQuery(): void {
    this.handleError(new Error('it ended the copy'))
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
