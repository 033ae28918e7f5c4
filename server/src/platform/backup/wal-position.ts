/** A segment of the write-ahead log: the unit that PostgreSQL keeps it in. */
export const SEGMENT_BYTES = 16 * 2 ** 20
const SEGMENT = BigInt(SEGMENT_BYTES)

/** A position in the log (LSN) as PostgreSQL writes it, `0/3000148`. */
export const positionText = (at: bigint): string =>
  `${(at >> 32n).toString(16).toUpperCase()}/${(at & 0xffffffffn).toString(16).toUpperCase()}`

export function readPosition(text: string): bigint {
  const parts = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text)
  if (!parts) throw new TypeError(`${text} is no position of a log`)
  return (BigInt(`0x${parts[1]}`) << 32n) + BigInt(`0x${parts[2]}`)
}

/** Where the segment of a position begins. */
export const segmentStart = (at: bigint): bigint => at - (at % SEGMENT)
export const nextSegment = (at: bigint): bigint => segmentStart(at) + SEGMENT

const hex8 = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0')

/** The name that PostgreSQL gives the segment's file. */
export const segmentName = (timeline: number, at: bigint): string =>
  `${hex8(timeline)}${hex8(at >> 32n)}${hex8((at & 0xffffffffn) / SEGMENT)}`

export interface StoredLog {
  timeline: number
  /** Where its segment begins. */
  segment: bigint
  /** Bytes of the segment that it holds, from and to; a whole segment: 0 and SEGMENT_BYTES. */
  from: number
  to: number
}

/** The name of a stored object for some of a segment's bytes. */
export function logName({ timeline, segment, from, to }: StoredLog): string {
  const name = segmentName(timeline, segment)
  return from === 0 && to === SEGMENT_BYTES ? `${name}.age` : `${name}.${hex8(from)}-${hex8(to)}.age`
}

/** Reads the name of a stored object; null where it is none of the log. */
export function readLogName(name: string): StoredLog | null {
  const parts = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(?:\.([0-9A-F]{8})-([0-9A-F]{8}))?\.age$/.exec(name)
  if (!parts) return null
  const [timeline = 0, log = 0, number = 0] = parts.slice(1, 4).map((each) => Number.parseInt(each, 16))
  return {
    timeline,
    segment: (BigInt(log) << 32n) + BigInt(number) * SEGMENT,
    from: parts[4] ? Number.parseInt(parts[4], 16) : 0,
    to: parts[5] ? Number.parseInt(parts[5], 16) : SEGMENT_BYTES,
  }
}

/** How far the objects of one segment reach from its beginning, without a gap, and which of them are needed for that. */
export function covered<T extends StoredLog>(parts: readonly T[]): { to: number; parts: T[] } {
  const needed: T[] = []
  let to = 0
  for (;;) {
    const next = parts.filter((each) => each.from <= to && each.to > to).sort((a, b) => b.to - a.to)[0]
    if (!next) return { to, parts: needed }
    needed.push(next)
    to = next.to
  }
}
