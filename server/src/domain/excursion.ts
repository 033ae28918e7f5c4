import type { Point, Rule } from './measures.ts'

export type Side = 'above' | 'below'
/** `inside`: a reading came back within the limits; `side`: one beyond the other limit; `gap`: silence for too long. */
export type EndedBy = 'inside' | 'side' | 'gap'

/**
 * Consecutive readings outside the limits. Starts at the first reading outside; ends at the first one back inside, or,
 * where more than 3 intervals pass in silence, 3 intervals after the last one outside: silence is missing evidence.
 * Instants in ms, values in hundredths; `centiMs` / 6 000 000 are degree-minutes.
 */
export interface Excursion {
  side: Side
  startAt: number
  /** The last reading outside, its distance from the limit it broke, and how long it may hold. */
  lastAt: number
  lastDeviation: number
  lastHoldMs: number
  readings: number
  /** The value farthest outside and when it was first reached. */
  peak: number
  peakAt: number
  /** Sum of distance from the limit times the time it held, up to `lastAt`, or to `endAt` once there is one. */
  centiMs: number
  endAt: number | null
  endedBy: EndedBy | null
}

export interface ExcursionEvent {
  kind: 'started' | 'ended'
  excursion: Excursion
}

export interface ExcursionStep {
  open: Excursion | null
  events: readonly ExcursionEvent[]
}

const nothing: ExcursionStep = { open: null, events: [] }
const noEvents: readonly ExcursionEvent[] = []

/** Judges the next reading of a measure: the state is the excursion open so far. */
export function judge(open: Excursion | null, point: Point, rule: Rule): ExcursionStep {
  const side = sideOf(point.value, rule)
  if (!open) return side ? start(side, point, rule) : nothing
  const silence = point.at - open.lastAt
  if (silence > open.lastHoldMs) {
    const ended = end(open, open.lastHoldMs, 'gap')
    return after(ended, side ? start(side, point, rule) : nothing)
  }
  if (side === open.side) return { open: extend(open, point, rule, silence), events: noEvents }
  if (side) return after(end(open, silence, 'side'), start(side, point, rule))
  return after(end(open, silence, 'inside'), nothing)
}

/** Which limit a value breaks; null is inside, and a value on the limit is inside. */
export function sideOf(value: number, rule: Rule): Side | null {
  if (rule.max !== null && value > rule.max) return 'above'
  if (rule.min !== null && value < rule.min) return 'below'
  return null
}

const deviationOf = (side: Side, value: number, rule: Rule) =>
  side === 'above' ? value - (rule.max ?? value) : (rule.min ?? value) - value

function start(side: Side, point: Point, rule: Rule): ExcursionStep {
  const excursion: Excursion = {
    side,
    startAt: point.at,
    lastAt: point.at,
    lastDeviation: deviationOf(side, point.value, rule),
    lastHoldMs: rule.holdMs,
    readings: 1,
    peak: point.value,
    peakAt: point.at,
    centiMs: 0,
    endAt: null,
    endedBy: null,
  }
  return { open: excursion, events: [{ kind: 'started', excursion }] }
}

function extend(open: Excursion, point: Point, rule: Rule, heldMs: number): Excursion {
  const farther = open.side === 'above' ? point.value > open.peak : point.value < open.peak
  return {
    ...open,
    lastAt: point.at,
    lastDeviation: deviationOf(open.side, point.value, rule),
    lastHoldMs: rule.holdMs,
    readings: open.readings + 1,
    peak: farther ? point.value : open.peak,
    peakAt: farther ? point.at : open.peakAt,
    centiMs: open.centiMs + open.lastDeviation * heldMs,
  }
}

const end = (open: Excursion, heldMs: number, endedBy: EndedBy): Excursion => ({
  ...open,
  centiMs: open.centiMs + open.lastDeviation * heldMs,
  endAt: open.lastAt + heldMs,
  endedBy,
})

const after = (ended: Excursion, next: ExcursionStep): ExcursionStep => ({
  open: next.open,
  events: [{ kind: 'ended', excursion: ended }, ...next.events],
})

/** Degree-minutes (or percent-minutes) of an excursion so far. */
export const degreeMinutes = (excursion: Pick<Excursion, 'centiMs'>): number => excursion.centiMs / 6_000_000
