import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { FeatureCollection } from 'geojson'
import { readCities } from '../../../platform/gazetteer/cities.ts'
import { MAX_TILE_ZOOM } from '../tile-maths.ts'
import { rankCities } from './city-rank.ts'
import { countryLabels } from './country-labels.ts'
import { type Atlas, bordersOf, countriesOf, landOf, readAtlas } from './data.ts'
import { PointLayer } from './point-layer.ts'
import { readLakes, readRivers } from './waters.ts'

/** `solid`: nothing but land, edge to edge; the same bytes then serve every tile below it. */
export type Tile = { z: number; x: number; y: number; data: Uint8Array; solid: boolean }

type Layers = Record<string, GeoJSONVTTile | null>

const EXTENT = 4096
const BUFFER = 64

/** From this zoom the 1:10m land replaces the 1:50m one. */
const FINE_FROM_ZOOM = 5
const RIVERS_FROM_ZOOM = 3

/** Every tile that has something in it, parents before children; below a solid tile there are none. */
export function* allTiles(): Generator<Tile> {
  const world = new World()
  yield* world.visit(0, 0, 0)
}

class World {
  private readonly coarse = shapesOf(readAtlas('50m'))
  private readonly fine = shapesOf(readAtlas('10m'))
  private readonly lakes = indexOf(readLakes())
  private readonly rivers = indexOf(readRivers())
  private readonly countries = countryPoints()
  private readonly cities = cityPoints();

  *visit(z: number, x: number, y: number): Generator<Tile> {
    const layers = this.layersOf(z, x, y)
    const filled = Object.entries(layers).filter((entry): entry is [string, GeoJSONVTTile] =>
      Boolean(entry[1]?.features.length),
    )
    const below = this.hasBelow(z, x, y)
    const solid = z >= FINE_FROM_ZOOM && !below.detail && isSolid(layers.land)
    if (filled.length > 0) {
      const data = fromGeojsonVt(Object.fromEntries(filled), { version: 2, extent: EXTENT })
      yield { z, x, y, data, solid }
    }
    if (!solid && z < MAX_TILE_ZOOM && (below.land || below.detail)) {
      for (const child of [0, 1, 2, 3]) yield* this.visit(z + 1, x * 2 + (child & 1), y * 2 + (child >> 1))
    }
    this.release(z, x, y)
  }

  /** The indexes keep every tile they ever made (700 MB in the end); none is asked for twice. */
  private release(z: number, x: number, y: number): void {
    const { coarse, fine, lakes, rivers } = this
    for (const index of [fine.land, fine.border, lakes, rivers, ...(z < FINE_FROM_ZOOM ? Object.values(coarse) : [])]) {
      const tile = index.getTile(z, x, y)
      if (tile) Object.assign(tile, { features: [], source: null })
    }
  }

  private layersOf(z: number, x: number, y: number): Layers {
    const { land, border } = z < FINE_FROM_ZOOM ? this.coarse : this.fine
    return {
      land: land.getTile(z, x, y),
      lake: this.lakes.getTile(z, x, y),
      river: z < RIVERS_FROM_ZOOM ? null : this.rivers.getTile(z, x, y),
      border: border.getTile(z, x, y),
      country: this.countries.tile(z, x, y, EXTENT),
      city: this.cities.tile(z, x, y, EXTENT),
    }
  }

  /** Whether anything lies here at full detail, even where this zoom simplifies it away. */
  private hasBelow(z: number, x: number, y: number): { land: boolean; detail: boolean } {
    const lines = [this.fine.border, this.lakes, this.rivers]
    return {
      land: (this.fine.land.getTile(z, x, y)?.numFeatures ?? 0) > 0,
      detail:
        this.countries.has(z, x, y) ||
        this.cities.has(z, x, y) ||
        lines.some((index) => (index.getTile(z, x, y)?.numFeatures ?? 0) > 0),
    }
  }
}

function indexOf(data: FeatureCollection): GeoJSONVT {
  return new GeoJSONVT(data, { maxZoom: MAX_TILE_ZOOM, indexMaxZoom: 0, extent: EXTENT, buffer: BUFFER, tolerance: 2 })
}

function shapesOf(atlas: Atlas): { land: GeoJSONVT; border: GeoJSONVT } {
  return { land: indexOf(landOf(atlas)), border: indexOf(bordersOf(atlas)) }
}

function countryPoints(): PointLayer {
  const labels = countryLabels(countriesOf(readAtlas('50m')))
  return new PointLayer(
    labels.map(({ iso, rank, ...point }) => ({ ...point, tags: { iso, rank } })),
    MAX_TILE_ZOOM,
  )
}

function cityPoints(): PointLayer {
  return new PointLayer(
    rankCities(readCities()).map(({ x, y, minZoom, rank, name, featureCode }) => ({
      x,
      y,
      minZoom,
      tags: { name, rank, minzoom: minZoom, capital: featureCode === 'PPLC' },
    })),
    MAX_TILE_ZOOM,
  )
}

/** One polygon whose outline is the tile itself with its buffer. */
function isSolid(land: GeoJSONVTTile | null | undefined): boolean {
  const [polygon, ...others] = land?.features ?? []
  if (!polygon || others.length > 0 || polygon.type !== 3 || polygon.geometry.length !== 1) return false
  const outline: [number, number][] = polygon.geometry[0] ?? []
  const onEdge = (value: number) => value === -BUFFER || value === EXTENT + BUFFER
  const corners = new Set(outline.filter(([x, y]) => onEdge(x) && onEdge(y)).map(([x, y]) => `${x}/${y}`))
  return corners.size === 4 && outline.every(([x, y]) => onEdge(x) || onEdge(y))
}
