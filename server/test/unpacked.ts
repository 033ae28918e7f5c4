import { crc32, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'

/** Reads a ZIP by the directory at its end, as programs do. */
export function unpacked(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, size, length] = [16, 20, 24]
      .map((index) => zip.readUInt32LE(at + index))
      .concat(zip.readUInt16LE(at + 28))
    const name = zip.toString('utf8', at + 46, at + 46 + (length ?? 0))
    const local = zip.readUInt32LE(at + 42)
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = inflateRawSync(zip.subarray(from, from + (packed ?? 0)))
    expect([content.length, crc32(content)]).toEqual([size, crc])
    files.set(name, content)
    at += 46 + (length ?? 0)
  }
  expect(at).toBe(end)
  return files
}
