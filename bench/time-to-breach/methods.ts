import type { Point } from '../../server/src/domain/measures.ts'
import { type BreachLimits, type Heading, timeToBreach } from '../../server/src/domain/time-to-breach.ts'

export type Method = (points: readonly Point[], limits: BreachLimits, now: number) => Heading

const minuteMs = 60_000

/** A line by least squares through the last hour (six readings at least), told where it meets a limit within 2 hours. */
const straightLine: Method = (points, limits, now) =>
  ahead(points, limits, now, (recent) => {
    const n = recent.length
    const [mx, my] = [recent.reduce((sum, p) => sum + p.at, 0) / n, recent.reduce((sum, p) => sum + p.value, 0) / n]
    const slope =
      recent.reduce((sum, p) => sum + (p.at - mx) * (p.value - my), 0) /
      recent.reduce((sum, p) => sum + (p.at - mx) ** 2, 0)
    const rest = recent.reduce((sum, p) => sum + (p.value - my - slope * (p.at - mx)) ** 2, 0)
    const error = Math.sqrt(rest / (n - 2) / recent.reduce((sum, p) => sum + (p.at - mx) ** 2, 0))
    return [slope - 1.3 * error, slope, slope + 1.3 * error]
  })

/** The median of all slopes between two of the same readings; the band from their tenths. */
const theilSen: Method = (points, limits, now) =>
  ahead(points, limits, now, (recent) => {
    const slopes = recent
      .flatMap((a, i) => recent.slice(i + 1).map((b) => (b.value - a.value) / (b.at - a.at)))
      .sort((a, b) => a - b)
    return [0.1, 0.5, 0.9].map((share) => slopes[Math.floor((slopes.length - 1) * share)] ?? 0)
  })

export const methods: Record<string, Method> = {
  'straight line': straightLine,
  'Theil-Sen': theilSen,
  'beyond its usual range (ours)': timeToBreach,
}

/** `slopesOf`: lowest, middle and highest, hundredths per ms. */
function ahead(
  points: readonly Point[],
  { min, max, intervalMs }: BreachLimits,
  now: number,
  slopesOf: (recent: readonly Point[]) => number[],
): Heading {
  const last = points.at(-1)
  const recent = points.filter((point) => point.at >= now - Math.max(60 * minuteMs, 6 * intervalMs))
  if (!last || recent.length < 6) return { state: 'notEnoughData' }
  const [low = 0, middle = 0, high = 0] = slopesOf(recent)
  const limit = middle > 0 ? max : min
  if (limit === null || middle === 0) return { state: 'notHeading' }
  const minutes = (slope: number) => Math.max(0, (limit - last.value) / slope / minuteMs)
  const horizon = Math.max(120, (12 * intervalMs) / minuteMs)
  if (minutes(middle) > horizon) return { state: 'notHeading' }
  const [fast, slow] = middle > 0 ? [high, low] : [low, high]
  return {
    state: 'heading',
    side: middle > 0 ? 'above' : 'below',
    limit,
    minutes: minutes(middle),
    low: minutes(fast),
    high: slow * middle > 0 ? minutes(slow) : horizon * 2,
  }
}
