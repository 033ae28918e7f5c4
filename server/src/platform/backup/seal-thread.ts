import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A piece of the log to seal. The thread reads the bytes where they are: they stay as they are meanwhile. */
export interface LogPiece {
  name: string
  about: Record<string, unknown>
  bytes: Uint8Array<SharedArrayBuffer>
}

/** In whose name the thread signs, and who may read. */
export interface ThreadSealer {
  dataDir: string
  recipients: string[]
}

/** It holds a segment and what that became, outside of its heap. */
const memoryMb = 64

/**
 * Seals the log in a thread of its own: packing, hashing and encrypting take none of the server's event loop. Its answers come in the order of the
 * pieces. It begins with the first one, and again with the next one where it died.
 */
export class SealThread {
  readonly #sealer: ThreadSealer
  #worker: Worker | undefined

  constructor(sealer: ThreadSealer) {
    this.#sealer = sealer
  }

  /** The object to store. One piece at a time. */
  async seal(piece: LogPiece): Promise<Uint8Array> {
    const worker = this.#started()
    const settled = new AbortController()
    const { signal } = settled
    const ended = once(worker, 'exit', { signal }).then(() => {
      throw new Error('the thread that seals the log ended')
    })
    ended.catch(() => {})
    try {
      const answer = once(worker, 'message', { signal })
      worker.postMessage(piece)
      const [sealed] = await Promise.race([answer, ended])
      return sealed
    } finally {
      settled.abort()
    }
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./seal-worker.ts', import.meta.url), {
      workerData: this.#sealer,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    // The error goes to whoever waits for an answer as well.
    worker.once('error', forget)
    worker.once('exit', forget)
    this.#worker = worker
    return worker
  }
}
