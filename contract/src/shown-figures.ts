/**
 * Percent of a time that was measured, cut off rather than rounded: what is not complete must not read 100 %, nor something 0 %.
 * Whatever shows a coverage takes it from here.
 */
export function shownCoverage(pct: number, decimals = 1): number {
  const steps = 10 ** decimals
  if (pct > 0 && pct * steps < 1) return 1 / steps
  return Math.floor(pct * steps + 1e-9) / steps
}

interface Budget {
  state: 'ok' | 'low' | 'spent'
  leftPct: number | null
}

/**
 * Percent left of a stability budget, rounded down: something left never reads 0 %. Null where a percentage would contradict the state, or
 * there is none: a budget is also spent by one reading beyond its bounds, however much of its time is left.
 */
export function shownLeftPct({ state, leftPct }: Budget): number | null {
  if (state === 'spent' || leftPct === null) return null
  return leftPct > 0 && leftPct < 1 ? shownCoverage(leftPct) : Math.floor(leftPct + 1e-9)
}

const minuteMs = 60_000

/** A time in whole minutes; what was at all is not "0 min". */
export const shownMinutesMs = (ms: number): number => (ms > 0 ? Math.max(1, Math.round(ms / minuteMs)) * minuteMs : 0)
