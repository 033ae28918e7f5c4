import { gzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { FeatureCollection } from 'geojson'
import { tileIdOf } from '../src/features/basemap/streets/tile-id.ts'

export interface TinyTile {
  z: number
  x: number
  y: number
  data: Uint8Array
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]

interface Entry {
  id: number
  run: number
  offset: number
  length: number
}

function directory(entries: Entry[]): Uint8Array {
  const columns = [
    entries.map(({ id }, i) => id - (entries[i - 1]?.id ?? 0)),
    entries.map(({ run }) => run),
    entries.map(({ length }) => length),
    entries.map(({ offset }) => offset + 1),
  ]
  return gzipSync(Uint8Array.from([entries.length, ...columns.flat()].flatMap(varint)))
}

/** A PMTiles archive of these tiles, gzipped; `isDeep`: each tile by a directory of its own, as large archives have them. */
export function tinyPmtiles(tiles: TinyTile[], { isDeep = false } = {}): Buffer {
  const blobs = tiles
    .map(({ z, x, y, data }) => ({ id: tileIdOf(z, x, y), blob: gzipSync(data) }))
    .sort((a, b) => a.id - b.id)
  let end = 0
  const entries = blobs.map(({ id, blob }) => {
    const entry = { id, run: 1, offset: end, length: blob.length }
    end += blob.length
    return entry
  })
  const leaves = isDeep ? entries.map((entry) => directory([entry])) : []
  let leafEnd = 0
  const pointers = leaves.map((leaf, i) => {
    const pointer = { id: entries[i]?.id ?? 0, run: 0, offset: leafEnd, length: leaf.length }
    leafEnd += leaf.length
    return pointer
  })
  const root = directory(isDeep ? pointers : entries)
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  const piece = (at: number, offset: number, length: number) => {
    header.writeBigUInt64LE(BigInt(offset), at)
    header.writeBigUInt64LE(BigInt(length), at + 8)
  }
  piece(8, 127, root.length)
  piece(40, 127 + root.length, leafEnd)
  piece(56, 127 + root.length + leafEnd, end)
  const zooms = tiles.map(({ z }) => z)
  header.set([2, 2, 1, Math.min(...zooms), Math.max(...zooms)], 97)
  return Buffer.concat([header, root, ...leaves, ...blobs.map(({ blob }) => blob)])
}

/** The tile of the whole world with these layers. */
export function worldTile(layers: Record<string, FeatureCollection>): TinyTile {
  const tiles = Object.entries(layers).map(([name, data]) => [
    name,
    new GeoJSONVT(data, { maxZoom: 0 }).getTile(0, 0, 0),
  ])
  return { z: 0, x: 0, y: 0, data: fromGeojsonVt(Object.fromEntries(tiles), { version: 2, extent: 4096 }) }
}
