import type { Run } from './columns.ts'
import type { LimitSpan, TimeWindow } from './model.ts'

export interface Domain {
  min: number
  max: number
  step: number
}

const niceSteps = [1, 2, 5, 10]

/** A range with round ends that holds `low`..`high` in about `count` steps; `least` is the smallest step that makes sense. */
export function niceDomain(low: number, high: number, count: number, least = 0.1): Domain {
  const span = Math.max(high - low, least)
  const rough = span / Math.max(1, count)
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(least, magnitude * (niceSteps.find((nice) => nice * magnitude >= rough * 0.999) ?? 10))
  const round = (value: number) => Number(value.toFixed(6))
  const min = round(Math.floor(low / step + 1e-9) * step)
  const max = round(Math.ceil(high / step - 1e-9) * step)
  return min === max ? { min: round(min - step), max: round(max + step), step } : { min, max, step }
}

/** Least and greatest of what is drawn, limits in force included; null where nothing is. */
export function extentOf(
  runs: readonly Run[],
  limits: readonly LimitSpan[],
  window: TimeWindow,
): [number, number] | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  const take = (value: number | null) => {
    if (value === null) return
    if (value < low) low = value
    if (value > high) high = value
  }
  for (const run of runs)
    for (const point of run) {
      take(point.min)
      take(point.max)
    }
  for (const span of limits)
    if (span.to > window.from && span.from < window.to) {
      take(span.min)
      take(span.max)
    }
  return low <= high ? [low, high] : null
}
