import { Readable } from 'node:stream'
import type { BackupStore } from './backup-store.ts'
import type { SealThread } from './seal-thread.ts'
import { type LogObject, logFolder } from './stretches.ts'
import { covered, logName, nextSegment, SEGMENT_BYTES, segmentStart } from './wal-position.ts'

/** Pieces of a segment are put together by so many: so each byte is written again a few times at most, and few objects are there. */
const PER_MERGE = 8

/** How far the server's log reaches is noted so often, for so long while the receiver is behind. */
const MARK_EVERY_MS = 500
const MAX_MARKS = 1_000

interface Piece {
  from: number
  to: number
  /** How often it was put together. */
  rank: number
}

interface Filling {
  at: bigint
  bytes: Buffer<SharedArrayBuffer>
  filled: number
  /** How much of it is in the store, from the segment's beginning. */
  stored: number
  pieces: Piece[]
  /** No byte of it was written before that time of the server, ms; 0: nothing is known of it. */
  since: number
}

/**
 * Stores what comes of one stretch's log: while a segment is being filled as pieces of it, and whole once it is full. The store has all
 * up to `stored` for good.
 */
export class WalWriter {
  readonly #store: BackupStore
  readonly #sealing: SealThread
  readonly #stretch: string
  readonly #timeline: number
  /** Full segments that wait to be stored, and the one that is filled now. */
  #segments: Filling[]
  /** Objects of an earlier run for the segment that this one begins with. */
  #before: LogObject[]
  /** How far the log reached at times of the server, oldest first. */
  readonly #marks: { end: bigint; ms: number }[] = []
  #since = 0
  stored: bigint

  constructor(
    {
      store,
      sealing,
      stretch,
      timeline,
    }: { store: BackupStore; sealing: SealThread; stretch: string; timeline: number },
    from: bigint,
    before: LogObject[] = [],
  ) {
    this.#store = store
    this.#sealing = sealing
    this.#stretch = stretch
    this.#timeline = timeline
    this.#segments = [emptyAt(segmentStart(from))]
    this.#before = before.filter(({ segment }) => segment === segmentStart(from))
    this.stored = segmentStart(from) + BigInt(covered(this.#before).to)
  }

  /** Where what comes next begins. */
  get received(): bigint {
    const last = this.#last
    return last.at + BigInt(last.filled)
  }

  /** Full segments that are not stored yet. */
  get waiting(): number {
    return this.#segments.length - 1
  }

  get #last(): Filling {
    return this.#segments.at(-1) as Filling
  }

  /** Hears how far the server's log reaches, before bytes of it are taken: what lies beyond is written later than that. */
  hear(end: bigint, serverMs: number): void {
    const last = this.#marks.at(-1)
    if (last && serverMs - last.ms < MARK_EVERY_MS) return
    this.#marks.push({ end, ms: serverMs })
    if (this.#marks.length > MAX_MARKS) this.#marks.shift()
  }

  /** A time before which nothing of a segment was written. The time of sending would not do: after an outage it is hours later. */
  #sinceOf(segment: bigint): number {
    const reached = this.#marks.filter(({ end }) => end <= segment)
    this.#marks.splice(0, reached.length)
    this.#since = reached.at(-1)?.ms ?? this.#since
    return this.#since
  }

  /** Takes bytes of the log, which must follow those before. */
  take(start: bigint, bytes: Buffer): void {
    if (start !== this.received) throw new Error('the log came with a gap')
    for (let at = 0; at < bytes.length; ) {
      const filling = this.#last
      if (filling.filled === 0) filling.since = this.#sinceOf(filling.at)
      const copied = bytes.copy(filling.bytes, filling.filled, at)
      filling.filled += copied
      at += copied
      if (filling.filled === SEGMENT_BYTES) this.#segments.push(emptyAt(nextSegment(filling.at)))
    }
  }

  /** Stores what was received until now. Not to be called again before it is done. */
  async store(): Promise<void> {
    while (this.#segments.length > 1) await this.#storeWhole(this.#segments[0] as Filling)
    const filling = this.#last
    if (filling.filled > filling.stored) await this.#storePiece(filling)
  }

  async #storeWhole(full: Filling): Promise<void> {
    const mine = full.pieces.map((piece) => this.#nameOf(full, piece))
    const obsolete = [...mine, ...this.#before.map(({ name }) => name)]
    await this.#put(full, 0, SEGMENT_BYTES)
    this.stored = nextSegment(full.at)
    this.#segments.shift()
    this.#before = []
    const whole = this.#nameOf(full, { from: 0, to: SEGMENT_BYTES })
    for (const name of obsolete) if (name !== whole) await this.#store.remove(name)
  }

  async #storePiece(filling: Filling): Promise<void> {
    const { filled, pieces } = filling
    let piece: Piece = { from: filling.stored, to: filled, rank: 0 }
    const merged: Piece[] = []
    for (;;) {
      const { rank } = piece
      const alike = pieces.slice(1 - PER_MERGE)
      if (alike.length < PER_MERGE - 1 || alike.some((each) => each.rank !== rank)) break
      merged.push(...pieces.splice(1 - PER_MERGE))
      piece = { from: alike[0]?.from ?? piece.from, to: piece.to, rank: rank + 1 }
    }
    await this.#put(filling, piece.from, piece.to)
    pieces.push(piece)
    filling.stored = filled
    const until = filling.at + BigInt(filled)
    if (until > this.stored) this.stored = until
    for (const each of merged) await this.#store.remove(this.#nameOf(filling, each))
  }

  #nameOf({ at }: Filling, { from, to }: { from: number; to: number }): string {
    return `${logFolder(this.#stretch)}/${logName({ timeline: this.#timeline, segment: at, from, to })}`
  }

  async #put(filling: Filling, from: number, to: number): Promise<void> {
    const name = this.#nameOf(filling, { from, to })
    const about = { since: new Date(filling.since).toISOString() }
    const sealed = await this.#sealing.seal({ name, about, bytes: filling.bytes.subarray(from, to) })
    await this.#store.put(name, Readable.from([sealed]))
  }
}

const emptyAt = (at: bigint): Filling => ({
  ...{ at, bytes: Buffer.from(new SharedArrayBuffer(SEGMENT_BYTES)), filled: 0, stored: 0, pieces: [], since: 0 },
})
