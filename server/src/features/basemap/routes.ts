import { gunzipSync } from 'node:zlib'
import type { MapSources, TileSource } from '@isotherm/contract/basemap.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import { TileArchive } from './archive.ts'
import { ensureArchive } from './archive-builder.ts'
import { Streets } from './streets/streets.ts'
import { MAX_TILE_ZOOM } from './tile-maths.ts'

/**
 * `cacheDirs`: where finished tiles are looked for, and made in the first that can be written. `streetsFile`: the operator's archive of
 * streets, if there is one.
 */
export type BasemapOptions = { cacheDirs: readonly string[]; streetsFile: string; tileSources: readonly TileSource[] }

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
export function basemapRoutes(app: FastifyInstance, { cacheDirs, streetsFile, tileSources }: BasemapOptions): void {
  const config = { guard: 'public' as const }
  const basemap = new Basemap(cacheDirs, (error) => app.log.error({ err: error }, 'basemap not available'))
  const streets = new Streets(streetsFile, (reason) => app.log.error({ err: reason }, 'streets not available'))
  app.addHook('onListen', async () => void basemap.open())
  app.addHook('onClose', async () => {
    basemap.close()
    await streets.close()
  })

  app.get('/tiles/sources', { config }, async (_, reply) => {
    const found = await streets.find()
    const opened = basemap.open()
    const url = `/tiles/basemap/{z}/{x}/{y}.pbf?v=${opened?.version}`
    const answer: MapSources = {
      basemap: opened ? { url, maxZoom: MAX_TILE_ZOOM } : null,
      streets: found && {
        url: `/tiles/streets/{z}/{x}/{y}.pbf?v=${found.version}`,
        minZoom: found.archive.minZoom,
        maxZoom: found.archive.maxZoom,
      },
      sources: [...tileSources],
    }
    return reply.header('cache-control', 'no-cache').send(answer)
  })

  app.get<{ Params: TileParams }>('/tiles/basemap/:z/:x/:y.pbf', { config }, (request, reply) => {
    const { z, x, y } = tileOf(request.params, MAX_TILE_ZOOM)
    const opened = basemap.open()
    if (!opened) throw new AppError('BUSY', {}, RETRY_AFTER_S)
    const tile = opened.archive.tile(z, x, y)
    return sendTile(request, reply, tile && { ...tile, isGzipped: true })
  })

  app.get<{ Params: TileParams }>('/tiles/streets/:z/:x/:y.pbf', { config }, async (request, reply) => {
    const { z, x, y } = tileOf(request.params, maxStreetZoom)
    const found = await streets.find()
    if (!found) throw new AppError('NOT_FOUND')
    const data = await found.archive.tile(z, x, y).catch((error: unknown) => {
      streets.refuse(found, error)
      throw new AppError('NOT_FOUND')
    })
    const etag = `${found.version}-${z}-${x}-${y}`
    return sendTile(request, reply, data && { data, etag, isGzipped: found.archive.isGzipped })
  })
}

/** The format of archives knows no closer one. */
const maxStreetZoom = 26

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

function tileOf(params: TileParams, maxZoom: number): { z: number; x: number; y: number } {
  const [z, x, y] = [params.z, params.x, params.y].map((text) => (/^\d{1,8}$/.test(text) ? Number(text) : -1)) as [
    number,
    number,
    number,
  ]
  const inside = (value: number) => value >= 0 && value < 2 ** z
  if (z < 0 || z > maxZoom || !inside(x) || !inside(y)) throw new AppError('NOT_FOUND')
  return { z, x, y }
}

interface SentTile {
  data: Uint8Array
  etag: string
  isGzipped: boolean
}

function sendTile(request: FastifyRequest, reply: FastifyReply, tile: SentTile | undefined) {
  reply.header('cache-control', CACHE_CONTROL)
  if (!tile) return reply.code(204).send()
  const etag = `"${tile.etag}"`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type('application/vnd.mapbox-vector-tile')
  const data = Buffer.from(tile.data.buffer, tile.data.byteOffset, tile.data.byteLength)
  if (!tile.isGzipped) return reply.send(data)
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(gunzipSync(data))
  return reply.header('content-encoding', 'gzip').send(data)
}
