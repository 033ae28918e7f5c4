import { intervalsHeld, type Measure, type Rule } from './measures.ts'

/** A device's limits from an instant (ms since 1970) on; hundredths, null is no limit. */
export interface LimitsFrom {
  from: number
  temperatureMin: number | null
  temperatureMax: number | null
  humidityMin: number | null
  humidityMax: number | null
}

/** The interval a device measures at, from an instant on. */
export interface IntervalFrom {
  from: number
  intervalS: number
}

export interface RuleFrom extends Rule {
  from: number
}

/** The rules of one device through time, per measure, each ascending by `from`. */
export type Rules = Record<Measure, readonly RuleFrom[]>

// Judges a reading older than anything we know of its device: no limits, the shortest interval.
const unknown: RuleFrom = { from: Number.NEGATIVE_INFINITY, min: null, max: null, holdMs: intervalsHeld * 180_000 }

/** Merges the histories of limits and interval (both ascending) into one history of rules per measure. */
export function rulesOf(limits: readonly LimitsFrom[], intervals: readonly IntervalFrom[]): Rules {
  const instants = [...new Set([...limits, ...intervals].map((row) => row.from))].sort((a, b) => a - b)
  const rules = instants.map((from) => {
    const limit = limits.findLast((row) => row.from <= from)
    const interval = intervals.findLast((row) => row.from <= from)
    const holdMs = interval ? intervalsHeld * interval.intervalS * 1000 : unknown.holdMs
    return { from, limit, holdMs }
  })
  return {
    temperature: rules.map(({ from, limit, holdMs }) => ({
      from,
      min: limit?.temperatureMin ?? null,
      max: limit?.temperatureMax ?? null,
      holdMs,
    })),
    humidity: rules.map(({ from, limit, holdMs }) => ({
      from,
      min: limit?.humidityMin ?? null,
      max: limit?.humidityMax ?? null,
      holdMs,
    })),
  }
}

/** The rule in force at an instant: yesterday's reading is judged by yesterday's limits. */
export function ruleAt(history: readonly RuleFrom[], at: number): Rule {
  for (let i = history.length - 1; i >= 0; i--) {
    const rule = history[i]
    if (rule && rule.from <= at) return rule
  }
  return unknown
}

/** The first instant from which two histories of rules judge differently; null where they never do. */
export function differFrom(before: Rules, after: Rules): number | null {
  const instants = [before, after].flatMap((rules) =>
    Object.values(rules).flatMap((history) => history.map((rule) => rule.from)),
  )
  const sorted = [...new Set(instants)].sort((a, b) => a - b)
  return (
    sorted.find((at) =>
      (['temperature', 'humidity'] as const).some(
        (measure) => !isSame(ruleAt(before[measure], at), ruleAt(after[measure], at)),
      ),
    ) ?? null
  )
}

const isSame = (a: Rule, b: Rule) => a.min === b.min && a.max === b.max && a.holdMs === b.holdMs
