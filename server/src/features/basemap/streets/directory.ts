/** Tiles of a directory from `id` on; `run` tiles are alike, and 0 means a directory of its own. */
export interface TileEntry {
  id: number
  run: number
  length: number
  offset: number
}

/** The numbers of a directory, each in as many bytes as it needs (7 bits in each, the lowest first). */
function* numbersOf(bytes: Uint8Array): Generator<number, undefined> {
  for (let at = 0; at < bytes.length; ) {
    let value = 0
    let factor = 1
    let byte = 128
    while (byte >= 128 && at < bytes.length) {
      byte = bytes[at++] ?? 0
      value += (byte % 128) * factor
      factor *= 128
    }
    yield value
  }
  return undefined
}

/** A directory of PMTiles: columns of id differences, runs, lengths and offsets, where an offset of 0 is right behind the entry before. */
export function readDirectory(bytes: Uint8Array): TileEntry[] {
  const numbers = numbersOf(bytes)
  const next = () => numbers.next().value ?? 0
  // Each entry takes four bytes at least.
  const count = Math.min(next(), bytes.length / 4)
  const entries: TileEntry[] = []
  let id = 0
  for (let i = 0; i < count; i++) {
    id += next()
    entries.push({ id, run: 0, length: 0, offset: 0 })
  }
  for (const entry of entries) entry.run = next()
  for (const entry of entries) entry.length = next()
  let end = 0
  for (const entry of entries) {
    const offset = next()
    entry.offset = offset === 0 ? end : offset - 1
    end = entry.offset + entry.length
  }
  return entries
}

/** The entry that has a tile, or the directory in which to look further. */
export function entryOf(entries: readonly TileEntry[], id: number): TileEntry | undefined {
  let [low, high] = [0, entries.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.id ?? 0) <= id) low = middle + 1
    else high = middle - 1
  }
  const entry = entries[high]
  return entry && (entry.run === 0 || id < entry.id + entry.run) ? entry : undefined
}
