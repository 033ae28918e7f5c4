import { type Excursion, judge } from './excursion.ts'
import type { Held, Measure, Point } from './measures.ts'
import { hold, hourOf, type Rollup, rollupOf, take } from './rollup.ts'
import { type RuleFrom, ruleAt } from './rules.ts'

/** Where one measure of one device stands after its newest reading. */
export interface SeriesState {
  readonly tail: Held | null
  /** The rollup of the hour of `tail`. */
  readonly rollup: Rollup | null
  readonly open: Excursion | null
}

export interface SeriesStep {
  state: SeriesState
  /** The rollups of the hours that were left, oldest first. */
  left: readonly Rollup[]
  /** The excursions that ended, oldest first. */
  ended: readonly Excursion[]
}

export const emptySeries: SeriesState = { tail: null, rollup: null, open: null }

/** Takes the next points of a measure, in the order of time and all newer than the tail. What is given stays as it is. */
export function append(
  state: SeriesState,
  points: readonly Point[],
  rules: readonly RuleFrom[],
  measure: Measure,
): SeriesStep {
  const left: Rollup[] = []
  const ended: Excursion[] = []
  let { tail, open } = state
  // Our own copy: the hour is counted up in place.
  let rollup = state.rollup && { ...state.rollup }
  for (const point of points) {
    const rule = ruleAt(rules, point.at)
    if (tail && rollup) hold(rollup, tail, point.at, measure)
    if (rollup?.bucket === hourOf(point.at)) take(rollup, point.value)
    else {
      if (rollup) left.push(rollup)
      rollup = rollupOf(point)
    }
    const judged = judge(open, point, rule)
    open = judged.open
    for (const { kind, excursion } of judged.events) if (kind === 'ended') ended.push(excursion)
    tail = { at: point.at, value: point.value, holdMs: rule.holdMs }
  }
  return { state: { tail, rollup, open }, left, ended }
}
