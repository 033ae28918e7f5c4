import { RefusedError } from './refused.ts'

/** One file or folder of an archive; `mode` are its permission bits. */
export interface TarHeader {
  name: string
  type: 'file' | 'folder'
  size: number
  mode: number
}

export const BLOCK = 512
/** How many bytes of zeros follow a content, so that the next header begins at a block. */
export const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

// Offset and length of the fields of a ustar header (POSIX.1-1988) that matter to us.
const NAME = [0, 100] as const
const MODE = [100, 8] as const
const SIZE = [124, 12] as const
const MTIME = [136, 12] as const
const CHECKSUM = [148, 8] as const
const TYPE = 156
const MAGIC = 257
const PREFIX = [345, 155] as const

const TYPES: Record<string, TarHeader['type']> = { '0': 'file', '\0': 'file', '5': 'folder' }
/** The most that the octal digits of a header can say; only a longer one would need an extension. */
const MOST_BYTES = 8 ** 11 - 1

/** The header of a file or folder, as every tar reads it. Throws where ustar has no room for the name or the size. */
export function writeHeader({ name, type, size, mode }: TarHeader, mtimeS: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const [prefix, rest] = split(type === 'folder' ? `${name}/` : name)
  if (size > MOST_BYTES) throw new RefusedError(`${name} is larger than 8 GiB, more than a tar can hold.`)
  block.write(rest, NAME[0])
  block.write(prefix, PREFIX[0])
  const octal = ([at, length]: readonly [number, number], value: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at)
  octal(MODE, mode)
  octal(SIZE, size)
  octal(MTIME, Math.floor(mtimeS))
  // Owners are the restoring machine's business.
  octal([108, 8], 0)
  octal([116, 8], 0)
  block[TYPE] = (type === 'folder' ? '5' : '0').charCodeAt(0)
  block.write('ustar\x0000', MAGIC, 'latin1')
  octal([148, 7], checksumOf(block))
  return block
}

/** Reads a header; null for the zeros at the end. Throws for anything but plain files and folders. */
export function readHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null
  if (octalOf(block, CHECKSUM) !== checksumOf(block)) throw new RefusedError('A header of the archive is damaged.')
  const [prefix, rest] = [textOf(block, PREFIX), textOf(block, NAME)]
  const name = (prefix ? `${prefix}/${rest}` : rest).replace(/\/$/, '')
  const type = TYPES[String.fromCharCode(block[TYPE] ?? 0)]
  if (!type) throw new RefusedError(`The archive holds ${JSON.stringify(name)}, which is neither file nor folder.`)
  return { name, type, size: type === 'file' ? octalOf(block, SIZE) : 0, mode: octalOf(block, MODE) & 0o777 }
}

/** A name of more than 100 bytes is cut at a slash. */
function split(name: string): [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= NAME[1]) return ['', name]
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (rest && Buffer.byteLength(rest) <= NAME[1] && Buffer.byteLength(prefix) <= PREFIX[1]) return [prefix, rest]
  }
  throw new RefusedError(`${name}: the name is too long for a tar.`)
}

function textOf(block: Buffer, [at, length]: readonly [number, number]): string {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

function octalOf(block: Buffer, field: readonly [number, number]): number {
  const digits = textOf(block, field).trim()
  if (!/^[0-7]*$/.test(digits)) throw new RefusedError('A header of the archive is damaged.')
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

/** The sum of the header's bytes, its own eight taken as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) {
    const isOwn = at >= CHECKSUM[0] && at < CHECKSUM[0] + CHECKSUM[1]
    sum += isOwn ? 0x20 : (block[at] ?? 0)
  }
  return sum
}
