import { type FileHandle, open } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { entryOf, readDirectory, type TileEntry } from './directory.ts'
import { tileIdOf } from './tile-id.ts'

/** A file that is no archive of vector tiles as we can read them; the message says why. */
export class NoArchive extends Error {}

const headerBytes = 127
const compressions = { none: 1, gzip: 2 } as const
const vectorTiles = 1
/** Directories that are kept, each of some thousand tiles. */
const maxDirectories = 64
/** The largest piece that a header or a directory may make us read. */
const maxPieceBytes = 16_000_000
/** Directories lead to directories at most so often, says the format. */
const maxDepth = 4

interface Header {
  root: Piece
  leaves: Piece
  tiles: Piece
  minZoom: number
  maxZoom: number
  isGzipped: boolean
  hasGzippedDirectories: boolean
}

interface Piece {
  offset: number
  length: number
}

/** An archive of vector tiles in one file: PMTiles, version 3 (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
export class PmtilesArchive {
  readonly minZoom: number
  readonly maxZoom: number
  /** Whether tiles are as they come out of the file, or compressed with gzip. */
  readonly isGzipped: boolean
  readonly #file: FileHandle
  readonly #header: Header
  readonly #directories = new Map<number, Promise<TileEntry[]>>()

  private constructor(file: FileHandle, header: Header) {
    this.#file = file
    this.#header = header
    this.minZoom = header.minZoom
    this.maxZoom = header.maxZoom
    this.isGzipped = header.isGzipped
  }

  /** Throws NoArchive, or the error of the file system. */
  static async open(path: string): Promise<PmtilesArchive> {
    const file = await open(path)
    try {
      return new PmtilesArchive(file, headerOf(await pieceOf(file, { offset: 0, length: headerBytes })))
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** The bytes of a tile, or undefined where the archive has none. Throws NoArchive where the file is damaged. */
  async tile(z: number, x: number, y: number): Promise<Buffer | undefined> {
    if (z < this.minZoom || z > this.maxZoom) return undefined
    const id = tileIdOf(z, x, y)
    const { leaves, tiles } = this.#header
    let piece = this.#header.root
    for (let depth = 0; depth < maxDepth; depth++) {
      const entry = entryOf(await this.#directory(piece), id)
      if (!entry) return undefined
      if (entry.run > 0) return pieceOf(this.#file, { offset: tiles.offset + entry.offset, length: entry.length })
      piece = { offset: leaves.offset + entry.offset, length: entry.length }
    }
    throw new NoArchive('its directories have no end')
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #directory(piece: Piece): Promise<TileEntry[]> {
    const known = this.#directories.get(piece.offset)
    if (known) return known
    const reading = pieceOf(this.#file, piece).then((bytes) =>
      readDirectory(this.#header.hasGzippedDirectories ? gunzipSync(bytes, { maxOutputLength: maxPieceBytes }) : bytes),
    )
    const [oldest] = this.#directories.keys()
    if (this.#directories.size >= maxDirectories && oldest !== undefined) this.#directories.delete(oldest)
    this.#directories.set(piece.offset, reading)
    reading.catch(() => this.#directories.delete(piece.offset))
    return reading
  }
}

async function pieceOf(file: FileHandle, { offset, length }: Piece): Promise<Buffer> {
  if (length > maxPieceBytes) throw new NoArchive('a part of it is too large')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new NoArchive('it ends too early')
  return buffer
}

function headerOf(bytes: Buffer): Header {
  if (bytes.toString('latin1', 0, 7) !== 'PMTiles' || bytes[7] !== 3)
    throw new NoArchive('it is not PMTiles of version 3')
  const piece = (at: number): Piece => ({
    offset: Number(bytes.readBigUInt64LE(at)),
    length: Number(bytes.readBigUInt64LE(at + 8)),
  })
  const [inside, tile] = [bytes[97], bytes[98]]
  const known = (compression: number | undefined) =>
    compression === compressions.none || compression === compressions.gzip
  if (!known(inside) || !known(tile)) throw new NoArchive('it is compressed otherwise than with gzip')
  if (bytes[99] !== vectorTiles) throw new NoArchive('it has no vector tiles')
  return {
    ...{ root: piece(8), leaves: piece(40), tiles: piece(56) },
    ...{ minZoom: bytes[100] ?? 0, maxZoom: bytes[101] ?? 0 },
    isGzipped: tile === compressions.gzip,
    hasGzippedDirectories: inside === compressions.gzip,
  }
}
