import { PassThrough } from 'node:stream'
import type { LiveClosed, LiveEvent } from '@isotherm/contract/live.ts'
import type { z } from 'zod'

/** A listener, with the things they may see. */
export interface Watcher {
  sessionHash: Buffer
  userId: string
  seesDevices: boolean
  seesAlarms: boolean
  seesOrders: boolean
  seesPrivate: boolean
  /** Anything that decides what the person may see, as one text: another text, other rights. */
  rights: string
}

export type CloseReason = z.infer<typeof LiveClosed>['reason']

/** One event in the text form of the standard (WHATWG HTML, server-sent events). */
export const frame = (event: string, data: string, id?: string): string =>
  `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${data}\n\n`

// A browser that has not taken this much is slow or gone; it reconnects and catches up from the feed's memory.
const maxWaitingBytes = 512 * 1024

/** One open stream. Writes never wait: a reader that falls too far behind is let go. */
export class Viewer {
  readonly watcher: Watcher
  readonly stream = new PassThrough({ highWaterMark: 16 * 1024 })
  #closed = false
  readonly #maxWaiting: number

  constructor(watcher: Watcher, maxWaiting = maxWaitingBytes) {
    this.watcher = watcher
    this.#maxWaiting = maxWaiting
  }

  get closed(): boolean {
    return this.#closed || this.stream.destroyed
  }

  write(text: string): void {
    if (this.closed) return
    this.stream.write(text)
    if (this.stream.writableLength + this.stream.readableLength > this.#maxWaiting) this.#drop()
  }

  send<E extends LiveEvent>(event: E['event'], data: E['data'], id?: string): void {
    this.write(frame(event, JSON.stringify(data), id))
  }

  /** Says why, and ends the stream. */
  close(reason: CloseReason): void {
    if (this.closed) return
    this.send('closed', { reason })
    this.#closed = true
    this.stream.end()
  }

  // Ending it properly would mean waiting for the reader who does not read.
  #drop() {
    this.#closed = true
    this.stream.destroy()
  }
}
