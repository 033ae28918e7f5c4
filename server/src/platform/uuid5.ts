import { createHash } from 'node:crypto'

/** The namespace of our names: a random UUID that never changes. */
const namespace = Buffer.from('6f1d0a3e0c5b4f6c9b0e2d7a4c81e95b', 'hex')

/** A UUID of a name (RFC 9562, version 5): the same name has the same one, always and everywhere. */
export function uuid5(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
