import { writeSync, write as writeTo } from 'node:fs'

/** So much waits in memory at most while nothing can be written; lines beyond it are lost. */
const maxWaiting = 1_000_000
const againMs = 1_000
/** The reader of a pipe has not taken what was written before. */
const fullPipeMs = 50

/**
 * Writes lines of the log one after the other, without holding the process up. Where nothing can be written, because the disk is full or the reader
 * hangs, the server goes on: pino's own output ends the process then, and never lets it go (`flushSync` tries for ever).
 */
export class LogOutput {
  readonly #fd: number
  readonly #write: typeof writeTo
  #waiting: Buffer[] = []
  #bytes = 0
  #isWriting = false
  #isClosed = false

  constructor(fd: number, write: typeof writeTo = writeTo) {
    this.#fd = fd
    this.#write = write
  }

  write(line: string): void {
    if (this.#isClosed || this.#bytes > maxWaiting) return
    this.#keep(Buffer.from(line), 'last')
    this.#next()
  }

  /** Writes all that waits, at the end of the process: there is no later then. */
  flushSync(): void {
    try {
      while (this.#waiting.length > 0) {
        const text = this.#take()
        for (let at = 0; at < text.length; ) at += writeSync(this.#fd, text, at)
      }
    } catch {
      this.#waiting = []
    }
  }

  #keep(text: Buffer, place: 'first' | 'last'): void {
    this.#bytes += text.length
    if (place === 'first') this.#waiting.unshift(text)
    else this.#waiting.push(text)
  }

  #take(): Buffer {
    const text = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#bytes = 0
    return text
  }

  #next(): void {
    if (this.#isWriting || this.#waiting.length === 0) return
    this.#isWriting = true
    const text = this.#take()
    this.#write(this.#fd, text, (error, written) => {
      if (error?.code === 'EPIPE') this.#isClosed = true
      if (this.#isClosed) return
      const left = text.subarray(error ? 0 : written)
      if (left.length > 0) this.#keep(left, 'first')
      const goOn = () => {
        this.#isWriting = false
        this.#next()
      }
      if (error) setTimeout(goOn, error.code === 'EAGAIN' ? fullPipeMs : againMs).unref()
      else goOn()
    })
  }
}
