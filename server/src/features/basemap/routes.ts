import { gunzipSync } from 'node:zlib'
import type { MapSources, TileSource } from '@isotherm/contract/basemap.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import { TileArchive } from './archive.ts'
import { ensureArchive } from './archive-builder.ts'
import { MAX_TILE_ZOOM } from './tile-maths.ts'

/** `cacheDirs`: where finished tiles are looked for, and made in the first that can be written. */
export type BasemapOptions = { cacheDirs: readonly string[]; tileSources: readonly TileSource[] }

type Opened = { archive: TileArchive; version: string }
type TileParams = { z: string; x: string; y: string }

const RETRY_AFTER_S = 2
/** A failed build (a full disk, say) is not tried again at once. */
const REBUILD_AFTER_MS = 60_000
/** The address carries the version of the tiles, so what it names never changes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/**
 * The offline map, for everybody: its tiles, and where they and the configured online maps are to be fetched. The tiles
 * are made at the first start of a version; until then (seconds) `basemap` is null and tiles answer 503.
 */
export function basemapRoutes(app: FastifyInstance, { cacheDirs, tileSources }: BasemapOptions): void {
  const config = { guard: 'public' as const }
  const basemap = new Basemap(cacheDirs, (error) => app.log.error({ err: error }, 'basemap not available'))
  app.addHook('onListen', async () => void basemap.open())
  app.addHook('onClose', async () => basemap.close())

  app.get('/tiles/sources', { config }, (_, reply) => {
    const opened = basemap.open()
    const url = `/tiles/basemap/{z}/{x}/{y}.pbf?v=${opened?.version}`
    const answer: MapSources = { basemap: opened ? { url, maxZoom: MAX_TILE_ZOOM } : null, sources: [...tileSources] }
    return reply.header('cache-control', 'no-cache').send(answer)
  })

  app.get<{ Params: TileParams }>('/tiles/basemap/:z/:x/:y.pbf', { config }, (request, reply) => {
    const { z, x, y } = tileOf(request.params)
    const opened = basemap.open()
    if (!opened) throw new AppError('BUSY', {}, RETRY_AFTER_S)
    return sendTile(request, reply, opened.archive, z, x, y)
  })
}

/** Opens the archive without making anybody wait for it. */
class Basemap {
  private opened: Opened | undefined
  private opening = false
  private closed = false
  private retryAt = 0
  private readonly cacheDirs: readonly string[]
  private readonly complain: (error: unknown) => void

  constructor(cacheDirs: readonly string[], complain: (error: unknown) => void) {
    this.cacheDirs = cacheDirs
    this.complain = complain
  }

  open(): Opened | undefined {
    if (!this.opened && !this.opening && !this.closed && Date.now() >= this.retryAt) void this.start()
    return this.opened
  }

  close(): void {
    this.closed = true
    this.opened?.archive.close()
    this.opened = undefined
  }

  private async start(): Promise<void> {
    this.opening = true
    try {
      const { file, version } = await ensureArchive(this.cacheDirs)
      if (!this.closed) this.opened = { archive: new TileArchive(file), version }
    } catch (error) {
      this.retryAt = Date.now() + REBUILD_AFTER_MS
      this.complain(error)
    } finally {
      this.opening = false
    }
  }
}

function tileOf(params: TileParams): { z: number; x: number; y: number } {
  const [z, x, y] = [params.z, params.x, params.y].map((text) => (/^\d{1,3}$/.test(text) ? Number(text) : -1)) as [
    number,
    number,
    number,
  ]
  const inside = (value: number) => value >= 0 && value < 2 ** z
  if (z < 0 || z > MAX_TILE_ZOOM || !inside(x) || !inside(y)) throw new AppError('NOT_FOUND')
  return { z, x, y }
}

function sendTile(request: FastifyRequest, reply: FastifyReply, archive: TileArchive, z: number, x: number, y: number) {
  reply.header('cache-control', CACHE_CONTROL)
  const tile = archive.tile(z, x, y)
  if (!tile) return reply.code(204).send()
  const etag = `"${tile.etag}"`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type('application/vnd.mapbox-vector-tile')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(gunzipSync(tile.data))
  return reply
    .header('content-encoding', 'gzip')
    .send(Buffer.from(tile.data.buffer, tile.data.byteOffset, tile.data.byteLength))
}
