import { encodePng } from '../../platform/mail/png.ts'

/** A value at an instant, ms since 1970. */
export interface TrendPoint {
  at: number
  value: number
}

export interface Trend {
  points: readonly TrendPoint[]
  limit: number | null
  /** Values beyond the limit are drawn in red. */
  side: 'above' | 'below'
}

/** In pixels of the screen; the picture has twice as many for sharp ones. */
export const trendSize = { width: 520, height: 120 }

const [width, height] = [trendSize.width * 2, trendSize.height * 2]
const margin = 14
// Both are read on white and on black: the background is transparent.
const blue = [0x2f, 0x80, 0xd0] as const
const red = [0xe0, 0x3e, 0x36] as const
const lineWidth = 5

/** A line of values over time with its limit, as PNG. Without text, which stands beside the picture. */
export function drawTrend({ points, limit, side }: Trend): Buffer {
  const pixels = new Uint8Array(width * height * 4)
  const { x, y } = scalesOf(points, limit)
  const limitY = limit === null ? null : y(limit)
  const isOutside = (row: number) => limitY !== null && (side === 'above' ? row < limitY : row > limitY)
  const paint = (column: number, row: number, opacity: number, colour: readonly number[]) => {
    const at = (row * width + column) * 4
    const byte = Math.round(Math.min(1, opacity) * 255)
    if (byte > (pixels[at + 3] ?? 0)) pixels.set([...colour, byte], at)
  }
  if (limitY !== null)
    for (let column = 0; column < width; column++)
      if (column % 20 < 12) for (const row of [0, 1, 2]) paint(column, Math.round(limitY) + row - 1, 0.8, red)
  for (const [from, to] of strokesOf(points)) {
    const [a, b] = [
      { x: x(from.at), y: y(from.value) },
      { x: x(to.at), y: y(to.value) },
    ]
    const reach = lineWidth
    for (let row = Math.floor(Math.min(a.y, b.y) - reach); row <= Math.max(a.y, b.y) + reach; row++)
      for (let column = Math.floor(Math.min(a.x, b.x) - reach); column <= Math.max(a.x, b.x) + reach; column++) {
        if (row < 0 || row >= height || column < 0 || column >= width) continue
        const opacity = lineWidth / 2 + 0.5 - distance(column, row, a, b)
        if (opacity > 0) paint(column, row, opacity, isOutside(row) ? red : blue)
      }
  }
  return encodePng(width, height, pixels)
}

function scalesOf(points: readonly TrendPoint[], limit: number | null) {
  const values = [...points.map(({ value }) => value), ...(limit === null ? [] : [limit])]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const share = (value: number, from: number, to: number) => (to > from ? (value - from) / (to - from) : 0.5)
  return {
    x: (at: number) => margin + share(at, first, last) * (width - 2 * margin),
    y: (value: number) => height - margin - share(value, least, most) * (height - 2 * margin),
  }
}

/** From each point to the next; a silence of more than three usual intervals stays open. */
function strokesOf(points: readonly TrendPoint[]): [TrendPoint, TrendPoint][] {
  const gaps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at))
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  const strokes = points.slice(1).flatMap((to, index): [TrendPoint, TrendPoint][] => {
    const from = points[index]
    return from && to.at - from.at <= usual * 3 ? [[from, to]] : []
  })
  const last = points.at(-1)
  return last ? [...strokes, [last, last]] : strokes
}

interface Place {
  x: number
  y: number
}

/** From a pixel to the nearest point of a line. */
function distance(column: number, row: number, a: Place, b: Place): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((column - a.x) * dx + (row - a.y) * dy) / length))
  return Math.hypot(column - a.x - along * dx, row - a.y - along * dy)
}
