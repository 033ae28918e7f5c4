import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { tileKey } from './tile-maths.ts'

/** A vector tile, gzipped, with the ETag of its content. */
export type StoredTile = { data: Uint8Array; etag: string }

type Row = { data: Uint8Array; etag: string; solid: number }

/** Bound of SQLite's own cache, in KiB; the file itself (12 MB) stays in the system's. */
const PAGE_CACHE_KIB = 2_048

/** The finished tiles in one SQLite file. A lookup takes some 20 µs and reads a few pages. */
export class TileArchive {
  private readonly database: DatabaseSync
  private readonly find: StatementSync

  constructor(file: string) {
    this.database = new DatabaseSync(file, { readOnly: true })
    this.database.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`)
    this.find = this.database.prepare(
      'select blob.data, blob.etag, tile.solid from tile join blob on blob.id = tile.blob_id where tile.key = ?',
    )
  }

  /** The tile, or undefined where there is only water. Inland tiles without detail share one ancestor's. */
  tile(z: number, x: number, y: number): StoredTile | undefined {
    const own = this.row(z, x, y)
    if (own) return own
    for (let up = 1; up <= z; up++) {
      const ancestor = this.row(z - up, x >> up, y >> up)
      if (ancestor) return ancestor.solid ? ancestor : undefined
    }
    return undefined
  }

  close(): void {
    this.database.close()
  }

  private row(z: number, x: number, y: number): Row | undefined {
    return this.find.get(tileKey(z, x, y)) as Row | undefined
  }
}
