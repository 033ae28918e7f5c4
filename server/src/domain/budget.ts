import type { Budget, BudgetState } from '@isotherm/contract/record-budget.ts'
import { fromCenti, toCenti } from './measures.ts'

/** A stretch of time in which a device measured beyond a temperature. Instants in ms, `value` in hundredths. */
export interface Beyond {
  from: number
  to: number
  value: number
}
export interface Stretch {
  from: number
  to: number
}

/** The thresholds of a budget, in hundredths. A value on a threshold is not beyond it. */
export interface Threshold {
  name: 'above' | 'below' | 'neverAbove' | 'neverBelow'
  side: 'above' | 'below'
  centi: number
}

export function thresholdsOf(budget: Budget): Threshold[] {
  const all: [Threshold['name'], Threshold['side'], number | null][] = [
    ['above', 'above', budget.aboveC],
    ['below', 'below', budget.belowC],
    ['neverAbove', 'above', budget.neverAboveC],
    ['neverBelow', 'below', budget.neverBelowC],
  ]
  return all.flatMap(([name, side, limit]) => (limit === null ? [] : [{ name, side, centi: toCenti(limit) }]))
}

/** The stretches joined where they touch or overlap, ascending: two devices beyond at once count once. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else result.push({ from, to })
  }
  return result
}

/** The time of the stretches that lies in none of the others, ascending. */
export function without(stretches: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  const holes = joined(others)
  return joined(stretches).flatMap((stretch) => {
    const left: Stretch[] = []
    let { from } = stretch
    for (const hole of holes) {
      if (hole.to <= from || hole.from >= stretch.to) continue
      if (hole.from > from) left.push({ from, to: hole.from })
      from = Math.max(from, hole.to)
    }
    return from < stretch.to ? [...left, { from, to: stretch.to }] : left
  })
}

/** How long the stretches last together, ms. */
export const lengthMs = (stretches: readonly Stretch[]): number =>
  joined(stretches).reduce((sum, { from, to }) => sum + to - from, 0)

/** The instant at which an allowance (ms) is used up; null where it is not. */
export function exhaustedAt(stretches: readonly Stretch[], allowedMs: number): number | null {
  let left = allowedMs
  for (const { from, to } of joined(stretches)) {
    if (to - from >= left) return from + left
    left -= to - from
  }
  return null
}

/** The part of the stretches within a window. */
export const within = (stretches: readonly Stretch[], window: Stretch): Stretch[] =>
  stretches.flatMap(({ from, to }) => {
    const part = { from: Math.max(from, window.from), to: Math.min(to, window.to) }
    return part.to > part.from ? [part] : []
  })

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** The rest of a budget at the end of a record's own window, by the stretches beyond each threshold of the budget. */
export function budgetLeft(
  budget: Budget,
  beyond: ReadonlyMap<Threshold['name'], readonly Beyond[]>,
  own: Stretch,
): Omit<BudgetState, 'earlierRecords'> {
  const allowance = (name: 'above' | 'below', limitC: number | null, minutes: number | null) => {
    const stretches = beyond.get(name)
    if (!stretches || limitC === null || minutes === null) return null
    const allowedMs = minutes * 60_000
    const usedMs = lengthMs(stretches)
    return {
      limitC,
      allowedMs,
      usedMs,
      usedHereMs: lengthMs(within(joined(stretches), own)),
      leftMs: Math.max(0, allowedMs - usedMs),
      exhaustedAt: iso(exhaustedAt(stretches, allowedMs)),
    }
  }
  const bound = (name: 'neverAbove' | 'neverBelow', limitC: number | null) => {
    const stretches = beyond.get(name)
    if (!stretches || limitC === null) return null
    const values = stretches.map(({ value }) => value)
    const worst = values.length === 0 ? null : name === 'neverAbove' ? Math.max(...values) : Math.min(...values)
    const first = values.length === 0 ? null : Math.min(...stretches.map(({ from }) => from))
    return { limitC, brokenAt: iso(first), worstC: worst === null ? null : fromCenti(worst) }
  }
  const above = allowance('above', budget.aboveC, budget.aboveMinutes)
  const below = allowance('below', budget.belowC, budget.belowMinutes)
  const neverAbove = bound('neverAbove', budget.neverAboveC)
  const neverBelow = bound('neverBelow', budget.neverBelowC)
  const isSpent = above?.exhaustedAt || below?.exhaustedAt || neverAbove?.brokenAt || neverBelow?.brokenAt
  const isLow = [above, below].some((one) => one && one.leftMs < one.allowedMs / 4)
  const state = isSpent ? 'spent' : isLow ? 'low' : 'ok'
  return { state, asOf: new Date(own.to).toISOString(), above, below, neverAbove, neverBelow }
}
