import type { GeoJSONVTTile } from '@maplibre/geojson-vt'
import { tileKey } from '../tile-maths.ts'

/** `x`, `y` in the unit square; `tags` become the feature's properties. */
export type PlacedPoint = { x: number; y: number; minZoom: number; tags: Record<string, string | number | boolean> }

/**
 * Points by tile, each from its own zoom on. The deepest zoom holds all of them: the browser shows those of a later
 * zoom (`minZoom`) only once it has zoomed in that far.
 */
export class PointLayer {
  private readonly tiles = new Map<number, PlacedPoint[]>()
  private readonly occupied = new Set<number>()

  constructor(points: readonly PlacedPoint[], maxZoom: number) {
    for (const point of points) {
      for (let z = 0; z <= maxZoom; z++) {
        const key = tileKey(z, Math.floor(point.x * 2 ** z), Math.floor(point.y * 2 ** z))
        this.occupied.add(key)
        if (z < point.minZoom && z < maxZoom) continue
        const tile = this.tiles.get(key)
        if (tile) tile.push(point)
        else this.tiles.set(key, [point])
      }
    }
  }

  /** Whether a point lies in this tile, shown at this zoom or later. */
  has(z: number, x: number, y: number): boolean {
    return this.occupied.has(tileKey(z, x, y))
  }

  tile(z: number, x: number, y: number, extent: number): GeoJSONVTTile {
    const points = this.tiles.get(tileKey(z, x, y)) ?? []
    const within = (position: number, corner: number) => Math.floor((position * 2 ** z - corner) * extent)
    const features: GeoJSONVTTile['features'] = points.map((point) => ({
      type: 1,
      tags: point.tags,
      geometry: [[within(point.x, x), within(point.y, y)]],
    }))
    return { features, transformed: true, source: null, z, x, y }
  }
}
