import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TileSource } from '@isotherm/contract/basemap.ts'
import { MapSources } from '@isotherm/contract/basemap.ts'
import { VectorTile } from '@mapbox/vector-tile'
import fastify, { type FastifyInstance } from 'fastify'
import { PbfReader } from 'pbf'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { tinyPmtiles } from '../../../test/tiny-pmtiles.ts'
import { installCacheDir } from '../../platform/files/install-cache.ts'
import { mapErrors } from '../../platform/http/error-mapping.ts'
import { ensureArchive } from './archive-builder.ts'
import { basemapRoutes } from './routes.ts'
import { toUnitSquare } from './tile-maths.ts'

// Shared by all runs on a machine: making the tiles takes seconds, and their name says which version they are.
const cacheDirs = [installCacheDir]

const satellite: TileSource = {
  kind: 'satellite',
  url: 'https://tiles.example/{z}/{x}/{y}.jpg',
  attribution: '© Example',
}

const PLACES = {
  lagos: [3.395, 6.454],
  nairobi: [36.817, -1.283],
  johannesburg: [28.044, -26.202],
  sahara: [10, 24],
  lakeVictoria: [33, -1],
  midAtlantic: [-25, -5],
} as const

let app: FastifyInstance
let archive: string

beforeAll(async () => {
  archive = (await ensureArchive(cacheDirs)).file
  app = serverWith(cacheDirs, [satellite])
  await app.ready()
  await untilReady(app)
}, 120_000)
afterAll(() => app.close())

function serverWith(folders: string[], tileSources: TileSource[]): FastifyInstance {
  const server = fastify()
  mapErrors(server)
  basemapRoutes(server, { cacheDirs: folders, streetsFile: join(folders[0] ?? '', 'none.pmtiles'), tileSources })
  return server
}

/** The archive is there already; opening it takes some milliseconds, on a busy machine seconds. */
async function untilReady(server: FastifyInstance): Promise<void> {
  const isReady = async () => expect((await server.inject('/tiles/sources')).json().basemap).not.toBeNull()
  await vi.waitFor(isReady, 60_000)
}

function tileAt(place: keyof typeof PLACES, z: number): { x: number; y: number; u: number; v: number } {
  const [x, y] = toUnitSquare(PLACES[place][0], PLACES[place][1]).map((position) => position * 2 ** z) as [
    number,
    number,
  ]
  return { x: Math.floor(x), y: Math.floor(y), u: (x % 1) * 4096, v: (y % 1) * 4096 }
}

async function fetchTile(place: keyof typeof PLACES, z: number) {
  const { x, y, u, v } = tileAt(place, z)
  const response = await app.inject(`/tiles/basemap/${z}/${x}/${y}.pbf`)
  const { layers } = new VectorTile(new PbfReader(response.rawPayload))
  const features = (name: string) => {
    const layer = layers[name]
    return layer ? Array.from({ length: layer.length }, (_, i) => layer.feature(i)) : []
  }
  const covers = (name: string) => features(name).some((feature) => isInside(feature.loadGeometry(), u, v))
  return { response, covers, cities: features('city').map(({ properties }) => properties), features }
}

/** Even-odd rule over all rings. */
function isInside(rings: { x: number; y: number }[][], x: number, y: number): boolean {
  let inside = false
  for (const ring of rings) {
    ring.forEach((a, i) => {
      const b = ring.at(i - 1)
      if (b && a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside
    })
  }
  return inside
}

describe('a tile', () => {
  test.each([0, 3, 5, 8])('at zoom %i has land in the Sahara and none in the mid-Atlantic', async (z) => {
    expect((await fetchTile('sahara', z)).covers('land')).toBe(true)
    const { x, y } = tileAt('midAtlantic', z)
    const { statusCode } = await app.inject(`/tiles/basemap/${z}/${x}/${y}.pbf`)
    expect(statusCode === 204 || !(await fetchTile('midAtlantic', z)).covers('land')).toBe(true)
  })

  test('has Lake Victoria as a lake', async () => {
    expect((await fetchTile('lakeVictoria', 6)).covers('lake')).toBe(true)
    expect((await fetchTile('nairobi', 6)).covers('lake')).toBe(false)
  })

  test.each([
    ['lagos', 'Lagos', false],
    ['nairobi', 'Nairobi', true],
    ['johannesburg', 'Johannesburg', false],
  ] as const)('%s appears from zoom 5 at the latest and never before zoom 3', async (place, name, capital) => {
    for (const z of [5, 6, 7, 8]) {
      expect((await fetchTile(place, z)).cities).toContainEqual(expect.objectContaining({ name, capital }))
    }
    for (const z of [0, 1, 2]) expect((await fetchTile(place, z)).cities).toEqual([])
  })

  test('a small town waits for a closer zoom than a large city', async () => {
    const early = (await fetchTile('nairobi', 5)).cities.map(({ name }) => name)
    const late = (await fetchTile('nairobi', 8)).cities
    expect(early).not.toContain('Limuru')
    expect(late.find(({ name }) => name === 'Limuru')?.minzoom).toBeGreaterThan(6)
  })

  test('carries countries as ISO codes, for the browser to name', async () => {
    const codes = (await fetchTile('johannesburg', 3)).features('country').map(({ properties }) => properties.iso)
    expect(codes).toEqual(expect.arrayContaining(['ZA', 'BW', 'ZW', 'MZ']))
  })

  test('no border or coast runs around the world where a country crosses the date line', async () => {
    const { response } = await fetchTile('midAtlantic', 0)
    const land = new VectorTile(new PbfReader(response.rawPayload)).layers.land
    const widest = Array.from({ length: land?.length ?? 0 }, (_, i) => land?.feature(i).loadGeometry() ?? [])
      .flat()
      .flatMap((ring) => ring.map((point, i) => ({ point, next: ring[i + 1] ?? point })))
      .filter(({ point, next }) => Math.abs(point.x - next.x) > 3_000 && point.y < 3_900)
    expect(widest).toEqual([])
  })
})

describe('the answer', () => {
  test('is open to everybody, as its routes declare', async () => {
    const server = fastify()
    const guards: unknown[] = []
    server.addHook('onRoute', ({ config }) => void guards.push(config?.guard))
    basemapRoutes(server, { cacheDirs, streetsFile: '/nowhere/streets.pmtiles', tileSources: [] })
    await server.ready()
    await server.close()
    expect(new Set(guards)).toEqual(new Set(['public']))
  })

  test('is gzipped only for who understands it', async () => {
    const url = '/tiles/basemap/0/0/0.pbf'
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
    const plain = await app.inject(url)
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
  })

  test('a tile the browser still has is answered with 304 and no body', async () => {
    const url = '/tiles/basemap/4/9/8.pbf'
    const { headers } = await app.inject(url)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(headers['cache-control']).toContain('immutable')
  })

  test.each([
    '9/0/0.pbf',
    '-1/0/0.pbf',
    '2/4/0.pbf',
    '2/0/4.pbf',
    'a/b/c.pbf',
    '1/1.5/1.pbf',
    '1/%00/1.pbf',
    `1/1/${'9'.repeat(90)}.pbf`,
    '1/1/1.png',
  ])('%s is no tile: 404', async (path) => {
    expect((await app.inject(`/tiles/basemap/${path}`)).statusCode).toBe(404)
  })

  test('names the configured online maps, and the tiles by version', async () => {
    const answer = MapSources.parse((await app.inject('/tiles/sources')).json())
    expect(answer.sources).toEqual([satellite])
    expect(answer.basemap?.url).toMatch(/^\/tiles\/basemap\/\{z\}\/\{x\}\/\{y\}\.pbf\?v=[0-9a-f]{12}$/)
  })
})

describe('streets that the operator put beside the data', () => {
  const data = Buffer.from('streets of the world')
  const tile = { z: 0, x: 0, y: 0, data }
  let folder: string
  let server: FastifyInstance
  const file = () => join(folder, 'maps.pmtiles')
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'isotherm-streets-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  afterEach(() => server.close())
  const open = async () => {
    server = fastify()
    mapErrors(server)
    basemapRoutes(server, { cacheDirs, streetsFile: file(), tileSources: [] })
    await server.ready()
    return MapSources.parse((await server.inject('/tiles/sources')).json()).streets
  }

  test('are told of and sent, gzipped only for who understands it', async () => {
    await writeFile(file(), tinyPmtiles([tile, { z: 14, x: 8_344, y: 7_890, data: Buffer.from('a street') }]))
    const streets = await open()
    expect(streets).toMatchObject({ minZoom: 0, maxZoom: 14 })
    const url = streets?.url.replace(/\{[zxy]\}/g, '0') ?? ''
    expect(url).toMatch(/^\/tiles\/streets\/0\/0\/0\.pbf\?v=[0-9a-f]{12}$/)
    const [plain, packed] = [
      await server.inject(url),
      await server.inject({ url, headers: { 'accept-encoding': 'gzip' } }),
    ]
    expect([plain.statusCode, plain.body, packed.headers['content-encoding']]).toEqual([200, String(data), 'gzip'])
    const again = await server.inject({ url, headers: { 'if-none-match': String(plain.headers.etag) } })
    expect(again.statusCode).toBe(304)
    expect((await server.inject('/tiles/streets/14/8344/7890.pbf')).body).toBe('a street')
    expect((await server.inject('/tiles/streets/1/0/0.pbf')).statusCode).toBe(204)
    expect((await server.inject('/tiles/streets/1/2/0.pbf')).statusCode).toBe(404)
  })

  test('are not there without a file, nor with one that is something else', async () => {
    await rm(file(), { force: true })
    expect(await open()).toBeNull()
    expect((await server.inject('/tiles/streets/0/0/0.pbf')).statusCode).toBe(404)
    await server.close()
    await writeFile(file(), 'no archive at all'.repeat(20))
    expect(await open()).toBeNull()
  })

  test('of a damaged file are not offered any more, once that is noticed', async () => {
    await writeFile(file(), tinyPmtiles([tile]).subarray(0, -2))
    expect(await open()).not.toBeNull()
    expect((await server.inject('/tiles/streets/0/0/0.pbf')).statusCode).toBe(404)
    expect((await server.inject('/tiles/sources')).json().streets).toBeNull()
  })
})

describe('making the tiles', () => {
  test('costs a bounded memory, outside the server', () => {
    const database = new DatabaseSync(archive, { readOnly: true })
    const made = database.prepare('select memory_mb from made').get() as { memory_mb: number }
    database.close()
    expect(made.memory_mb).toBeLessThan(600)
  })

  test('reading a thousand tiles takes the server little memory', async () => {
    // This thread's own: the process is shared with other tests.
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external
    const before = used()
    for (let i = 0; i < 1_000; i++) await app.inject(`/tiles/basemap/8/${120 + (i % 32)}/${110 + (i >> 5)}.pbf`)
    expect((used() - before) / 2 ** 20).toBeLessThan(150)
  })

  test('until they are made, tiles answer 503 and the sources say so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'basemap-'))
    const file = join(folder, 'not-a-folder')
    await writeFile(file, '')
    const server = serverWith([file], [])
    expect((await server.inject('/tiles/sources')).json()).toEqual({ basemap: null, streets: null, sources: [] })
    const response = await server.inject('/tiles/basemap/0/0/0.pbf')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
    await server.close()
    await rm(folder, { recursive: true })
  })

  test('a version that is there is not made again, and former ones are removed with the next', async () => {
    const before = await readFile(archive)
    expect((await ensureArchive(cacheDirs)).file).toBe(archive)
    expect(existsSync(archive)).toBe(true)
    expect((await readFile(archive)).equals(before)).toBe(true)
  })
})
