import { inflateRawSync } from 'node:zlib'
import { refuse } from './sheet.ts'

/** Parts of a book, and bytes of all of them: ten thousand rows of fifty cells have a quarter of that. */
const maxParts = 500
const maxBytes = 128 * 1024 * 1024

const endMark = 0x06054b50
const entryMark = 0x02014b50
const endBytes = 22
const entryBytes = 46
const headBytes = 30
const stored = 0
const deflated = 8
/** Instead of a size: ZIP64 has it elsewhere. */
const inZip64 = 0xffffffff

/** Refuses a ZIP that is larger than it says, or than a book may be: its parts are inflated once, up to the limit. Throws SheetRefused. */
export function refuseBomb(bytes: Buffer): void {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + endBytes > bytes.length || bytes.readUInt32LE(end) !== endMark) throw refuse('brokenBook')
  const parts = bytes.readUInt16LE(end + 10)
  if (parts > maxParts) throw refuse('bookTooLarge')
  // Readers would take the parts of the directory that ZIP64 names, which is not looked at here.
  if (bytes.readUInt32LE(end + 12) === inZip64) throw refuse('brokenBook')
  let left = maxBytes
  let at = bytes.readUInt32LE(end + 16)
  for (let part = 0; part < parts; part++) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== entryMark) throw refuse('brokenBook')
    left -= sizeOf(bytes, at, left)
    if (left < 0) throw refuse('bookTooLarge')
    at += entryBytes + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

function sizeOf(bytes: Buffer, entry: number, most: number): number {
  const [method, packed] = [bytes.readUInt16LE(entry + 10), bytes.readUInt32LE(entry + 20)]
  const head = bytes.readUInt32LE(entry + 42)
  if (head + headBytes > bytes.length) throw refuse('brokenBook')
  const from = head + headBytes + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28)
  if (from + packed > bytes.length) throw refuse('brokenBook')
  if (method === stored) return packed
  if (method !== deflated) throw refuse('brokenBook')
  try {
    return inflateRawSync(bytes.subarray(from, from + packed), { maxOutputLength: most + 1 }).length
  } catch (error) {
    throw refuse((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'bookTooLarge' : 'brokenBook')
  }
}
