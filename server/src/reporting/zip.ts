import { createHash } from 'node:crypto'
import { PassThrough, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { drained } from './drained.ts'

/** A file within a ZIP; `write` writes all of it and may end the stream. */
export interface Packed {
  name: string
  write(to: Writable): Promise<unknown>
}

interface Entry {
  name: Buffer
  crc: number
  packed: number
  size: number
  offset: number
}

const utf8 = 0x0800
const sizesFollow = 0x0008
const deflate = 8

/**
 * Writes files into a ZIP, one after the other, and last a manifest with the SHA-256 of each, as `sha256sum -c` reads it. Nothing of a
 * file stays in memory.
 */
export async function writeZip(out: Writable, files: readonly Packed[], at: Date): Promise<void> {
  const entries: Entry[] = []
  const sums: string[] = []
  let offset = 0
  const put = async (chunk: Buffer) => {
    offset += chunk.length
    await drained(out, chunk)
  }
  for (const { name, write } of [...files, { name: 'manifest.sha256', write: manifest }]) {
    const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset }
    const hash = createHash('sha256')
    await put(headOf(localHead, entry, at))
    const counted = new Transform({
      transform(chunk: Buffer, _, next) {
        entry.crc = crc32(chunk, entry.crc)
        entry.size += chunk.length
        hash.update(chunk)
        next(null, chunk)
      },
    })
    const taken = pipeline(counted, createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) {
        entry.packed += chunk.length
        await put(chunk)
      }
    })
    taken.catch(() => {})
    const source = new PassThrough()
    const poured = pipeline(source, counted)
    poured.catch(() => {})
    await write(source)
    if (!source.writableEnded) source.end()
    await poured
    await taken
    await put(sizesOf(entry))
    entries.push(entry)
    sums.push(`${hash.digest('hex')}  ${name}\n`)
  }
  const directory = offset
  for (const entry of entries) await put(headOf(centralHead, entry, at))
  await put(endOf(entries.length, offset - directory, directory))

  async function manifest(to: Writable) {
    await drained(to, sums.join(''))
  }
}

const localHead = 0x04034b50
const centralHead = 0x02014b50

/** The head of a file, or its entry in the directory at the end. */
function headOf(
  kind: typeof localHead | typeof centralHead,
  { name, crc, packed, size, offset }: Entry,
  at: Date,
): Buffer {
  const isCentral = kind === centralHead
  const head = Buffer.alloc(isCentral ? 46 : 30)
  let place = head.writeUInt32LE(kind, 0)
  if (isCentral) place = head.writeUInt16LE(20, place)
  place = head.writeUInt16LE(20, place)
  place = head.writeUInt16LE(utf8 | sizesFollow, place)
  place = head.writeUInt16LE(deflate, place)
  place = head.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), place)
  place = head.writeUInt16LE(
    ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    place,
  )
  // In the head of a file they are not known yet.
  for (const number of isCentral ? [crc, packed, size] : [0, 0, 0]) place = head.writeUInt32LE(number, place)
  head.writeUInt16LE(name.length, place)
  if (isCentral) head.writeUInt32LE(offset, 42)
  return Buffer.concat([head, name])
}

function sizesOf({ crc, packed, size }: Entry): Buffer {
  const sizes = Buffer.alloc(16)
  sizes.writeUInt32LE(0x08074b50, 0)
  for (const [index, number] of [crc, packed, size].entries()) sizes.writeUInt32LE(number, 4 + index * 4)
  return sizes
}

function endOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
