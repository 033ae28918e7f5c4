export interface SparkPoint {
  at: number
  value: number
}
export interface SparkLimits {
  min: number | null
  max: number | null
}
export interface SparkShape {
  /** SVG path data; a gap longer than `gapMs` starts anew. */
  line: string
  /** Top and height of the band of the limits; null without limits. */
  band: { y: number; height: number } | null
}

const round = (value: number) => Math.round(value * 10) / 10

/** A curve in a box of CSS pixels. Limits count into the scale as far as they are within reach of the values. */
export function sparkShape(
  points: readonly SparkPoint[],
  limits: SparkLimits,
  period: { from: number; to: number },
  size: { width: number; height: number },
  gapMs: number,
): SparkShape {
  const values = points.map((point) => point.value)
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (points.length === 0) return { line: '', band: null }
  const reach = Math.max(high - low, 1) * 1.5
  const within = [limits.min, limits.max].filter(
    (limit): limit is number => limit !== null && limit > low - reach && limit < high + reach,
  )
  const bottom = Math.min(low, ...within) - 0.2
  const top = Math.max(high, ...within) + 0.2
  const y = (value: number) => round(1 + ((top - value) / (top - bottom)) * (size.height - 2))
  const x = (at: number) => round(((at - period.from) / (period.to - period.from)) * size.width)
  let before: SparkPoint | null = null
  let line = ''
  for (const point of points) {
    const isNew = !before || point.at - before.at > gapMs
    // A lone point gets a length of zero, which a round line cap makes a dot.
    line += isNew ? `M${x(point.at)} ${y(point.value)}h0` : `L${x(point.at)} ${y(point.value)}`
    before = point
  }
  if (limits.min === null && limits.max === null) return { line, band: null }
  const inside = (value: number) => Math.min(size.height, Math.max(0, value))
  const bandTop = limits.max === null ? 0 : inside(y(limits.max))
  const bandEnd = limits.min === null ? size.height : inside(y(limits.min))
  return { line, band: { y: bandTop, height: Math.max(0, round(bandEnd - bandTop)) } }
}
