import { spoilRate } from './kinetic.ts'
import type { Held, Measure, Point } from './measures.ts'

export const hourMs = 3_600_000
export const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs

/**
 * One measure of one device in one hour. All but `spoilSum` are integers, so their order of summing is free; `spoilSum`
 * is summed in the order of time, so that summing again gives the same bits.
 * A reading belongs, with all the time it held, to the hour it was measured in; the newest has not held yet.
 */
export interface Rollup {
  /** Start of the hour, ms since 1970. */
  bucket: number
  n: number
  /** Hundredths. */
  min: number
  max: number
  sum: number
  /** Time that readings of this hour held, each until the next one and at most 3 intervals; ms. */
  coveredMs: number
  /** The longest wait from a reading of this hour to the next one, however long; ms. */
  gapMs: number
  /** Sum of held ms times `spoilRate`: the first sum of the mean kinetic temperature. Zero for humidity. */
  spoilSum: number
}

/** The hour's rollup with one more point in it, which has not held yet. */
export function counted(rollup: Rollup | null, point: Point): Rollup {
  const bucket = hourOf(point.at)
  if (!rollup || rollup.bucket !== bucket)
    return { bucket, n: 1, min: point.value, max: point.value, sum: point.value, coveredMs: 0, gapMs: 0, spoilSum: 0 }
  return {
    ...rollup,
    n: rollup.n + 1,
    min: Math.min(rollup.min, point.value),
    max: Math.max(rollup.max, point.value),
    sum: rollup.sum + point.value,
  }
}

/** The hour's rollup once its newest point is known to have held until the next one, at `nextAt`. */
export function held(rollup: Rollup, newest: Held, nextAt: number, measure: Measure): Rollup {
  const gapMs = nextAt - newest.at
  const heldMs = Math.min(gapMs, newest.holdMs)
  return {
    ...rollup,
    coveredMs: rollup.coveredMs + heldMs,
    gapMs: Math.max(rollup.gapMs, gapMs),
    spoilSum: measure === 'temperature' ? rollup.spoilSum + heldMs * spoilRate(newest.value) : 0,
  }
}
