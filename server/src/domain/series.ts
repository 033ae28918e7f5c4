import { type Excursion, type ExcursionEvent, judge } from './excursion.ts'
import type { Held, Measure, Point, Rule } from './measures.ts'
import { counted, held, hourOf, type Rollup } from './rollup.ts'

/** Where one measure of one device stands after its newest reading. */
export interface SeriesState {
  tail: Held | null
  /** The rollup of the hour of `tail`. */
  rollup: Rollup | null
  open: Excursion | null
}

export interface SeriesStep {
  state: SeriesState
  /** The rollup of the hour that was left, if one was. */
  left: Rollup | null
  events: readonly ExcursionEvent[]
}

export const emptySeries: SeriesState = { tail: null, rollup: null, open: null }

/** Takes the next point of a measure, which must be newer than the tail. */
export function append(state: SeriesState, point: Point, rule: Rule, measure: Measure): SeriesStep {
  const before = state.tail && state.rollup ? held(state.rollup, state.tail, point.at, measure) : null
  const { open, events } = judge(state.open, point, rule)
  return {
    state: { tail: { at: point.at, value: point.value, holdMs: rule.holdMs }, rollup: counted(before, point), open },
    left: before && before.bucket !== hourOf(point.at) ? before : null,
    events,
  }
}
