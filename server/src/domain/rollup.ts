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

/** The rollup of an hour with its first point, which has not held yet. */
export const rollupOf = ({ at, value }: Point): Rollup => ({
  bucket: hourOf(at),
  n: 1,
  min: value,
  max: value,
  sum: value,
  coveredMs: 0,
  gapMs: 0,
  spoilSum: 0,
})

/** Counts one more value of the hour into its rollup, in place. */
export function take(rollup: Rollup, value: number): void {
  rollup.n++
  rollup.sum += value
  if (value < rollup.min) rollup.min = value
  if (value > rollup.max) rollup.max = value
}

/** Adds, in place, that the newest point of the hour has held until the next one, at `nextAt`. */
export function hold(rollup: Rollup, newest: Held, nextAt: number, measure: Measure): void {
  const gapMs = nextAt - newest.at
  const heldMs = Math.min(gapMs, newest.holdMs)
  rollup.coveredMs += heldMs
  if (gapMs > rollup.gapMs) rollup.gapMs = gapMs
  if (measure === 'temperature') rollup.spoilSum += heldMs * spoilRate(newest.value)
}
