import type { Readable } from 'node:stream'
import { RefusedError } from './refused.ts'
import { BLOCK, padding, readHeader, type TarHeader, writeHeader } from './tar-block.ts'

/** A file or folder on its way into or out of an archive. The body must be read to its end before the next one. */
export interface TarEntry extends TarHeader {
  body: AsyncIterable<Buffer>
}

/** The bytes of an archive of these entries, in their order. Throws when a body is not as long as was said. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtimeS: number): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    yield writeHeader(entry, mtimeS)
    let written = 0
    for await (const chunk of entry.body) {
      written += chunk.length
      yield chunk
    }
    if (written !== entry.size) {
      throw new RefusedError(`${entry.name} has ${written} bytes, not ${entry.size}: it changed while it was read.`)
    }
    yield Buffer.alloc(padding(entry.size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** The entries of an archive. Throws when it is cut off, damaged, or holds anything but plain files and folders. */
export async function* readTar(stream: Readable): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(stream)
  for (;;) {
    const header = readHeader(await bytes.take(BLOCK))
    if (!header) return bytes.drain()
    let isRead = false
    async function* body(size: number) {
      yield* bytes.pieces(size)
      await bytes.take(padding(size))
      isRead = true
    }
    yield { ...header, body: body(header.size) }
    if (!isRead) throw new TypeError(`${header.name} was not read to its end`)
  }
}

/** A file that is in memory, readable by its owner alone. */
export function wholeFile(name: string, content: Buffer): TarEntry {
  async function* body() {
    yield content
  }
  return { name, type: 'file', size: content.length, mode: 0o600, body: body() }
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** The next bytes in pieces as they come. */
  async *pieces(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) await this.#fill()
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  /** The next bytes in one piece. */
  async take(size: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.pieces(size)) pieces.push(piece)
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
  }

  /** Reads on to the end, where a compressed stream says whether it was whole. */
  async drain(): Promise<void> {
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next());
  }

  async #fill(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw new RefusedError('The archive is cut off.')
    this.#rest = next.value
  }
}
