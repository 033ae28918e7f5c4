// Arrays in PostgreSQL's binary format (array_send in src/backend/utils/adt/arrayfuncs.c): number of dimensions, whether
// there are nulls, element type, length, lower bound; then each element's length (-1 is null) and bytes.
const headerBytes = 20
const oids = {
  int2: 21,
  int4: 23,
  int8: 20,
  float8: 701,
  text: 25,
  jsonb: 3802,
  bytea: 17,
  timestamptz: 1184,
  bool: 16,
}
const empties = new Map<number, Buffer>()
// Instants count microseconds from 2000-01-01.
const epoch2000Ms = 946_684_800_000

type Numeric = 'int2' | 'int4' | 'int8' | 'float8' | 'timestamptz'
const sizes: Record<Numeric, number> = { int2: 2, int4: 4, int8: 8, float8: 8, timestamptz: 8 }
const writers: Record<Numeric, (buffer: Buffer, value: number, offset: number) => void> = {
  int2: (buffer, value, offset) => buffer.writeInt16BE(value, offset),
  int4: (buffer, value, offset) => buffer.writeInt32BE(value, offset),
  int8: writeInt8,
  float8: (buffer, value, offset) => buffer.writeDoubleBE(value, offset),
  timestamptz: (buffer, value, offset) => writeInt8(buffer, (value - epoch2000Ms) * 1000, offset),
}

/** Every safe integer as eight bytes. */
function writeInt8(buffer: Buffer, value: number, offset: number) {
  const high = Math.floor(value / 4_294_967_296)
  buffer.writeInt32BE(high, offset)
  buffer.writeUInt32BE(value - high * 4_294_967_296, offset + 4)
}

/**
 * A column of numbers (instants in ms since 1970). Where every value is null the array is empty: unnest of several arrays
 * pads the shorter ones with nulls.
 */
export function numbers<T>(type: Numeric, rows: readonly T[], pick: (row: T) => number | null): Buffer {
  const size = sizes[type]
  const write = writers[type]
  const buffer = Buffer.allocUnsafe(headerBytes + rows.length * (4 + size))
  let offset = headerBytes
  let values = 0
  for (const row of rows) {
    const value = pick(row)
    if (value === null) {
      buffer.writeInt32BE(-1, offset)
      offset += 4
    } else {
      buffer.writeInt32BE(size, offset)
      write(buffer, value, offset + 4)
      offset += 4 + size
      values++
    }
  }
  return values === 0 ? empty(oids[type]) : withHeader(buffer, oids[type], rows.length, values).subarray(0, offset)
}

/** A column of texts, of JSON texts, or of bytes; all null is empty, as with numbers. */
export function texts<T>(
  type: 'text' | 'jsonb' | 'bytea',
  rows: readonly T[],
  pick: (row: T) => string | Buffer | null,
): Buffer {
  const chunks: Buffer[] = [Buffer.allocUnsafe(headerBytes)]
  let values = 0
  for (const row of rows) {
    const value = pick(row)
    const bytes = typeof value === 'string' ? Buffer.from(type === 'jsonb' ? `\u0001${value}` : value) : value
    const length = Buffer.allocUnsafe(4)
    length.writeInt32BE(bytes ? bytes.length : -1)
    chunks.push(length)
    if (!bytes) continue
    chunks.push(bytes)
    values++
  }
  return values === 0 ? empty(oids[type]) : withHeader(Buffer.concat(chunks), oids[type], rows.length, values)
}

export function booleans<T>(rows: readonly T[], pick: (row: T) => boolean): Buffer {
  const buffer = Buffer.allocUnsafe(headerBytes + rows.length * 5)
  rows.forEach((row, index) => {
    buffer.writeInt32BE(1, headerBytes + index * 5)
    buffer.writeUInt8(pick(row) ? 1 : 0, headerBytes + index * 5 + 4)
  })
  return rows.length === 0 ? empty(oids.bool) : withHeader(buffer, oids.bool, rows.length, rows.length)
}

function withHeader(buffer: Buffer, oid: number, length: number, values: number) {
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(values < length ? 1 : 0, 4)
  buffer.writeInt32BE(oid, 8)
  buffer.writeInt32BE(length, 12)
  buffer.writeInt32BE(1, 16)
  return buffer
}

function empty(oid: number): Buffer {
  const known = empties.get(oid)
  if (known) return known
  const buffer = Buffer.alloc(12)
  buffer.writeInt32BE(oid, 8)
  empties.set(oid, buffer)
  return buffer
}

/** Reads an instant of `timestamptz_send` (8 bytes) as ms since 1970. */
export const readInstant = (buffer: Buffer, offset: number): number =>
  (buffer.readInt32BE(offset) * 4_294_967_296 + buffer.readUInt32BE(offset + 4)) / 1000 + epoch2000Ms
