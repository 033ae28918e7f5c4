import type { Verdict } from '@isotherm/contract/stats.ts'
import { spoilRate } from './kinetic.ts'
import type { Held, Point } from './measures.ts'
import type { RuleFrom } from './rules.ts'

/** A stretch of time, ms since 1970; readings measured at either end belong to it. */
export interface Span {
  from: number
  to: number
}

/** Whole hours of a series, added up from their rollups: every reading of it held until a reading that is known. */
export interface Hours {
  n: number
  sum: number
  min: Point
  max: Point
  coveredMs: number
  spoilSum: number
  /** The longest wait from one of its readings to the next one. */
  gap: Span
  /** Its first reading. */
  firstAt: number
}

/**
 * A series within a span: the readings of its first hours, whole hours, the readings of its last hours. `before` is the
 * last reading that may still hold when the span begins. Where there are hours, `right` is not empty.
 */
export interface SeriesParts {
  before: Held | null
  left: readonly Held[]
  hours: Hours | null
  right: readonly Held[]
}

/** The statistics of a series. Values in hundredths, times in ms. */
export interface Tally {
  n: number
  sum: number
  min: Point | null
  max: Point | null
  /** Time for which a reading held. */
  coveredMs: number
  /** Sum of held ms times `spoilRate`. */
  spoilSum: number
  /** The longest stretch of the span without a reading. */
  gap: Span | null
}

/** Adds up a series. A reading holds until the next one, at most its `holdMs`, and counts for the span only within it. */
export function tallyOf(parts: SeriesParts, span: Span): Tally {
  const { before, left, hours, right } = parts
  const tally: Tally = { n: 0, sum: 0, min: null, max: null, coveredMs: 0, spoilSum: 0, gap: null }
  if (span.to < span.from) return tally
  const firstAt = left[0]?.at ?? hours?.firstAt ?? right[0]?.at ?? span.to
  if (before) addTime(tally, before, firstAt, span)
  addGap(tally, { from: span.from, to: firstAt })
  addReadings(tally, left, hours?.firstAt ?? right[0]?.at ?? span.to, span)
  if (hours) addHours(tally, hours)
  addReadings(tally, right, span.to, span)
  return tally
}

function addReadings(tally: Tally, readings: readonly Held[], nextAt: number, span: Span): void {
  readings.forEach((reading, index) => {
    const until = readings[index + 1]?.at ?? nextAt
    tally.n += 1
    tally.sum += reading.value
    addExtremes(tally, reading, reading)
    addTime(tally, reading, until, span)
    addGap(tally, { from: reading.at, to: until })
  })
}

function addHours(tally: Tally, hours: Hours): void {
  tally.n += hours.n
  tally.sum += hours.sum
  tally.coveredMs += hours.coveredMs
  tally.spoilSum += hours.spoilSum
  addExtremes(tally, hours.min, hours.max)
  addGap(tally, hours.gap)
}

function addExtremes(tally: Tally, { at, value }: Point, max: Point): void {
  if (!tally.min || value < tally.min.value) tally.min = { at, value }
  if (!tally.max || max.value > tally.max.value) tally.max = { at: max.at, value: max.value }
}

function addTime(tally: Tally, { at, value, holdMs }: Held, nextAt: number, span: Span): void {
  const heldMs = Math.min(nextAt, at + holdMs, span.to) - Math.max(at, span.from)
  if (heldMs <= 0) return
  tally.coveredMs += heldMs
  tally.spoilSum += heldMs * spoilRate(value)
}

function addGap(tally: Tally, gap: Span): void {
  if (gap.to - gap.from > (tally.gap ? tally.gap.to - tally.gap.from : 0)) tally.gap = gap
}

/** The rules that judge readings which count for a span, the one in force when it begins included. */
export const rulesWithin = (history: readonly RuleFrom[], span: Span): RuleFrom[] =>
  history.filter(
    (rule, index) => rule.from <= span.to && (history[index + 1]?.from ?? Number.POSITIVE_INFINITY) > span.from,
  )

/** A range whose upper limit is at or below 0 degrees: the mean kinetic temperature says nothing of frozen goods. */
export const isFrozen = (rules: readonly Pick<RuleFrom, 'max'>[]): boolean =>
  rules.some(({ max }) => max !== null && max <= 0)

export const isUnlimited = ({ min, max }: Pick<RuleFrom, 'min' | 'max'>): boolean => min === null && max === null

interface Evidence {
  lengthMs: number
  coveredMs: number
  unjudgedMs: number
  readings: number
  excursions: number
}

/** The verdict on a period: in range only where every moment of it was measured and judged. */
export function verdictOf({ lengthMs, coveredMs, unjudgedMs, readings, excursions }: Evidence): Verdict {
  if (excursions > 0) return 'outOfRange'
  if (readings === 0 && coveredMs === 0) return 'noData'
  if (unjudgedMs >= coveredMs && unjudgedMs > 0) return 'noLimits'
  return coveredMs < lengthMs || unjudgedMs > 0 ? 'incomplete' : 'inRange'
}
