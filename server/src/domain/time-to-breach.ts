import type { Side } from './excursion.ts'
import type { Point } from './measures.ts'

/** The limits of now (hundredths, null is none) and the interval a device measures at. */
export interface BreachLimits {
  min: number | null
  max: number | null
  intervalMs: number
}

/** When the values are likely to leave their limits: minutes from `now`, with the band that 8 of 10 breaches lie in. */
export type Heading =
  | { state: 'heading'; side: Side; limit: number; minutes: number; low: number; high: number }
  | { state: 'notHeading' | 'notEnoughData' }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
// Chosen on simulated trackers other than those that `npm run bench -- time-to-breach` measures it by.
const tuning = {
  /** A rise shorter than this, or than 3 intervals, may be a door. */
  leastRunMs: 15 * minuteMs,
  /** How much of the way from the usual highest value to the limit must be gone. */
  leastShare: 0.5,
  /** Farther ahead than this many times the rise so far nothing is said... */
  reach: 1.5,
  /** ...and never more than this, at intervals of up to 10 minutes. */
  horizonMs: 120 * minuteMs,
  /** Where the longest estimate is more than this many times the shortest, they know nothing. */
  agreement: 3,
  low: 0.7,
  high: 1.5,
} as const
/** How far back readings matter: a compressor's cycles, a defrost, the doors of a day. */
export const lookBackMs = (intervalMs: number): number => Math.max(12 * hourMs, 24 * intervalMs)

/**
 * Looks ahead from readings (ascending, of about `lookBackMs`). A value that moves within what it did on its own before, as a
 * compressor's sawtooth does, is heading nowhere; one that has left that is followed to its limit, straight and by
 * Newton's law of cooling, over stretches of several lengths: their median is the estimate. Advisory only.
 */
export function timeToBreach(points: readonly Point[], limits: BreachLimits, now: number): Heading {
  const last = points.at(-1)
  const enough = points.length >= 8 && last && last.at - (points[0]?.at ?? 0) >= 6 * limits.intervalMs
  if (!enough || now - last.at > 3 * limits.intervalMs) return { state: 'notEnoughData' }
  if (isOutside(last.value, limits)) return { state: 'notHeading' }
  return (
    look(points, limits, now, 'above', limits.max) ??
    look(points, limits, now, 'below', limits.min) ?? { state: 'notHeading' }
  )
}

const isOutside = (value: number, { min, max }: BreachLimits) =>
  (max !== null && value > max) || (min !== null && value < min)

function look(
  points: readonly Point[],
  { intervalMs }: BreachLimits,
  now: number,
  side: Side,
  limit: number | null,
): Heading | null {
  if (limit === null) return null
  const sign = side === 'above' ? 1 : -1
  // Upwards whichever side it is, so that there is one way to think about it.
  const rising = points.map(({ at, value }) => ({ at, value: sign * value }))
  const noise = noiseOf(rising)
  const run = runOf(rising, noise)
  const last = run.at(-1)
  if (run.length < 4 || !last) return null
  const runMs = last.at - (run[0] ?? last).at
  if (runMs < Math.max(tuning.leastRunMs, 3 * intervalMs)) return null
  if (!isBeyondUsual(rising, run, sign * limit, noise)) return null
  const times = estimates(run, sign * limit)
  const [shortest, middle, longest] = [Math.min(...times), quantile(times, 0.5), Math.max(...times)]
  const horizonMs = tuning.horizonMs * Math.max(1, intervalMs / (10 * minuteMs))
  if (times.length === 0 || middle > Math.min(horizonMs, tuning.reach * runMs)) return null
  if (longest > tuning.agreement * shortest) return null
  const minutes = (ms: number) => Math.max(0, (ms - (now - last.at)) / minuteMs)
  return {
    state: 'heading',
    side,
    limit,
    minutes: minutes(middle),
    low: minutes(shortest * tuning.low),
    high: minutes(longest * tuning.high + intervalMs),
  }
}

/** The spread of a single value about the line through its neighbours, robustly; hundredths. */
function noiseOf(points: readonly Point[]): number {
  const bends: number[] = []
  for (let i = 2; i < points.length; i++) {
    const [a, b, c] = [points[i - 2], points[i - 1], points[i]] as [Point, Point, Point]
    bends.push(Math.abs(a.value - 2 * b.value + c.value))
  }
  return Math.max(4, (1.4826 * quantile(bends, 0.5)) / Math.sqrt(6))
}

/** The rise the values are in now: from its lowest point on, with no fall of more than the noise in it. */
function runOf(points: readonly Point[], noise: number): Point[] {
  const back = 4 * noise
  let low = points.length - 1
  for (let i = points.length - 1; i >= 0; i--) {
    const value = (points[i] as Point).value
    const least = (points[low] as Point).value
    if (value <= least) low = i
    else if (value > least + back) break
  }
  const run = points.slice(low)
  const top = Math.max(...run.map((point) => point.value))
  return (run.at(-1)?.value ?? top) < top - back ? [] : run
}

/** Whether a rise has left what the values did by themselves before it. Excursions of before are no usual ways. */
function isBeyondUsual(points: readonly Point[], run: readonly Point[], limit: number, noise: number): boolean {
  const from = run[0]?.at ?? 0
  const before = points.filter((point) => point.at < from && point.value <= limit).map((point) => point.value)
  if (before.length < 4) return true
  const usual = Math.max(...before)
  return (run.at(-1)?.value ?? usual) > usual + Math.max(2 * noise, tuning.leastShare * (limit - usual))
}

/**
 * Times from the last point to the first reading beyond the limit, ms, by stretches of several lengths at the end of a rise.
 * A crossing is seen half a wait later on average, and never before the next reading.
 */
function estimates(run: readonly Point[], limit: number): number[] {
  const last = run.at(-1) as Point
  const times: number[] = []
  for (const length of [4, 6, 9, 14]) {
    const stretch = run.slice(-length)
    if (stretch.length < length) break
    const slope = theilSen(stretch)
    if (slope > 0) times.push((limit - last.value) / slope)
    const decay = length >= 6 ? newton(stretch, limit) : null
    // It settles before the limit: a line through it says otherwise only because it is short.
    if (decay === Number.POSITIVE_INFINITY) return []
    if (decay !== null) times.push(decay)
  }
  const recent = run.slice(-5)
  const waits = recent.slice(1).map((point, i) => point.at - (recent[i] as Point).at)
  const waitMs = quantile(waits, 0.5)
  return times.map((time) => Math.max(time + waitMs / 2, waitMs))
}

/** The median of the slopes between all pairs of points, hundredths per ms (Theil 1950, Sen 1968). */
function theilSen(points: readonly Point[]): number {
  const slopes: number[] = []
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++) {
      const [a, b] = [points[i] as Point, points[j] as Point]
      slopes.push((b.value - a.value) / (b.at - a.at))
    }
  return quantile(slopes, 0.5)
}

/** Time to the limit along an approach to a limit temperature, slowing down; null where a line fits as well. */
function newton(points: readonly Point[], limit: number): number | null {
  const last = points.at(-1) as Point
  const spanMs = last.at - (points[0] as Point).at
  const line = lineThrough(points.map(({ at, value }) => ({ x: (at - last.at) / spanMs, y: value })))
  let best: { tau: number; error: number; a: number; b: number } | null = null
  for (const tau of [0.4, 0.7, 1.2, 2, 3.5, 6]) {
    const found = lineThrough(
      points.map(({ at, value }) => ({ x: Math.exp(-(at - last.at) / spanMs / tau), y: value })),
    )
    if (found.b < 0 && (!best || found.error < best.error)) best = { tau, ...found }
  }
  if (!best || best.error > 0.8 * line.error) return null
  if (best.a <= limit) return Number.POSITIVE_INFINITY
  return -Math.log((limit - best.a) / best.b) * best.tau * spanMs
}

/** Least squares of y = a + b x, with the sum of squared errors. */
function lineThrough(points: readonly { x: number; y: number }[]): { a: number; b: number; error: number } {
  const n = points.length
  const [mx, my] = [points.reduce((sum, { x }) => sum + x, 0) / n, points.reduce((sum, { y }) => sum + y, 0) / n]
  const sxx = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0)
  const b = sxx === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / sxx
  const a = my - b * mx
  return { a, b, error: points.reduce((sum, { x, y }) => sum + (y - a - b * x) ** 2, 0) }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const index = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(index)] ?? 0, sorted[Math.ceil(index)] ?? 0]
  return low + (high - low) * (index - Math.floor(index))
}
