import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyPmtiles } from '../../../../test/tiny-pmtiles.ts'
import { entryOf, readDirectory } from './directory.ts'
import { PmtilesArchive } from './pmtiles.ts'
import { tileIdOf } from './tile-id.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-pmtiles-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function kept(bytes: Buffer): Promise<string> {
  const path = join(folder, `${Math.random()}.pmtiles`)
  await writeFile(path, bytes)
  return path
}

test('tiles have the numbers of the format: zooms in turn, a Hilbert curve through each', () => {
  const first = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, 1],
    [1, 1, 0],
    [2, 0, 0],
  ] as const
  expect(first.map(([z, x, y]) => tileIdOf(z, x, y))).toEqual([0, 1, 2, 3, 4, 5])
  // From the format's own tests.
  expect(tileIdOf(12, 3423, 1763)).toBe(19_078_479)
})

test('every tile of a zoom has a number of its own, next to that of a neighbour', () => {
  const places = new Map<number, [number, number]>()
  for (let x = 0; x < 16; x++) for (let y = 0; y < 16; y++) places.set(tileIdOf(4, x, y), [x, y])
  const ids = [...places.keys()].sort((a, b) => a - b)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([256, 85, 340])
  for (const id of ids.slice(1)) {
    const [[x, y], [u, v]] = [places.get(id) ?? [0, 0], places.get(id - 1) ?? [0, 0]]
    expect(Math.abs(x - u) + Math.abs(y - v)).toBe(1)
  }
})

test.each([false, true])(
  'an archive answers with the tiles that are in it (directories of their own: %s)',
  async (isDeep) => {
    const tiles = [
      { z: 0, x: 0, y: 0, data: Buffer.from('world') },
      { z: 9, x: 300, y: 200, data: Buffer.from('a district') },
      { z: 14, x: 9_600, y: 6_400, data: Buffer.from('a street') },
    ]
    const archive = await PmtilesArchive.open(await kept(tinyPmtiles(tiles, { isDeep })))
    expect([archive.minZoom, archive.maxZoom, archive.isGzipped]).toEqual([0, 14, true])
    for (const { z, x, y, data } of tiles) {
      const found = await archive.tile(z, x, y)
      expect(found && gunzipSync(found).toString()).toBe(data.toString())
    }
    expect(await archive.tile(9, 301, 200)).toBeUndefined()
    expect(await archive.tile(15, 0, 0)).toBeUndefined()
    await archive.close()
  },
)

test('a run of equal tiles is one entry; what lies behind it is not in it', () => {
  // Two entries: tiles 5 to 7 of 9 bytes at 0, tile 9 of 4 bytes right behind them.
  const entries = readDirectory(Uint8Array.from([2, 5, 4, 3, 1, 9, 4, 1, 0]))
  expect(entries).toEqual([
    { id: 5, run: 3, length: 9, offset: 0 },
    { id: 9, run: 1, length: 4, offset: 9 },
  ])
  expect([4, 5, 7, 8, 9, 10].map((id) => entryOf(entries, id)?.id)).toEqual([undefined, 5, 5, undefined, 9, undefined])
})

test('a file that is something else, of another compression, or cut off is refused in words', async () => {
  const good = tinyPmtiles([{ z: 0, x: 0, y: 0, data: Buffer.from('world') }])
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(good)
    bytes[at] = value
    return bytes
  }
  const opening = async (bytes: Buffer) => PmtilesArchive.open(await kept(bytes))
  await expect(opening(Buffer.from('PK\u0003\u0004'.repeat(100)))).rejects.toThrow('not PMTiles')
  await expect(opening(changed(7, 2))).rejects.toThrow('not PMTiles')
  await expect(opening(changed(98, 4))).rejects.toThrow('compressed')
  await expect(opening(changed(99, 2))).rejects.toThrow('no vector tiles')
  await expect(opening(good.subarray(0, 60))).rejects.toThrow('ends too early')
  const cut = await opening(good.subarray(0, good.length - 2))
  await expect(cut.tile(0, 0, 0)).rejects.toThrow('ends too early')
})
