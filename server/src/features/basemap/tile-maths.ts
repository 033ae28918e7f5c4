/** Tiles are made down to this zoom; the browser stretches the last ones beyond it (one unit is then 38 m). */
export const MAX_TILE_ZOOM = 8

/** Web Mercator position in the unit square: x and y from 0 to 1, y downward; latitudes are clamped to ±85.0511°. */
export function toUnitSquare(lon: number, lat: number): [x: number, y: number] {
  const sine = Math.min(Math.max(Math.sin((lat * Math.PI) / 180), -0.99627), 0.99627)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return [lon / 360 + 0.5, Math.min(Math.max(y, 0), 1)]
}

/** One number per tile, ordered by zoom; unique up to zoom 20. */
export function tileKey(z: number, x: number, y: number): number {
  return z * 2 ** 42 + x * 2 ** 21 + y
}
