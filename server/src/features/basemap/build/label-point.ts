import { toUnitSquare } from '../tile-maths.ts'

type Ring = readonly (readonly [number, number])[]

/** A label is far wider than tall, so room to the sides counts for less than room above and below. */
const WIDTH_FACTOR = 0.5
const GRID = 20
const ROUNDS = 3

/**
 * A point well inside a polygon (longitude, latitude rings, the first is the outline), where a horizontal label has
 * most room; and that polygon's size as a fraction of the world's width.
 */
export function labelPoint(polygon: readonly Ring[]): { x: number; y: number; width: number; height: number } {
  const rings = polygon.map((ring) => ring.map(([lon, lat]) => toUnitSquare(lon, lat)))
  const outline = rings[0] ?? []
  let box = boundsOf(outline)
  const { width, height } = { width: box.maxX - box.minX, height: box.maxY - box.minY }
  let best = { x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2, room: Number.NEGATIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round++) {
    const stepX = (box.maxX - box.minX) / GRID
    const stepY = (box.maxY - box.minY) / GRID
    for (let column = 0; column <= GRID; column++) {
      for (let row = 0; row <= GRID; row++) {
        const x = box.minX + column * stepX
        const y = box.minY + row * stepY
        const room = roomAt(rings, x, y)
        if (room > best.room) best = { x, y, room }
      }
    }
    box = { minX: best.x - stepX, maxX: best.x + stepX, minY: best.y - stepY, maxY: best.y + stepY }
  }
  return { x: best.x, y: best.y, width, height }
}

function boundsOf(points: Ring): { minX: number; minY: number; maxX: number; maxY: number } {
  const bounds = { minX: 1, minY: 1, maxX: 0, maxY: 0 }
  for (const [x, y] of points) {
    bounds.minX = Math.min(bounds.minX, x)
    bounds.maxX = Math.max(bounds.maxX, x)
    bounds.minY = Math.min(bounds.minY, y)
    bounds.maxY = Math.max(bounds.maxY, y)
  }
  return bounds
}

/** Distance to the nearest edge, negative outside. */
function roomAt(rings: readonly Ring[], x: number, y: number): number {
  let inside = false
  let nearest = Number.POSITIVE_INFINITY
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i] ?? [0, 0]
      const [bx, by] = ring[j] ?? [0, 0]
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
      nearest = Math.min(nearest, distanceToEdge(x, y, ax, ay, bx, by))
    }
  }
  return inside ? nearest : -nearest
}

function distanceToEdge(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const edgeX = (bx - ax) * WIDTH_FACTOR
  const edgeY = by - ay
  const pointX = (x - ax) * WIDTH_FACTOR
  const pointY = y - ay
  const length = edgeX * edgeX + edgeY * edgeY
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (pointX * edgeX + pointY * edgeY) / length))
  return Math.hypot(pointX - along * edgeX, pointY - along * edgeY)
}
