const usualMs = 90 * 86_400_000

/** The period of scorecards: the one that is asked for, else the last 90 days. */
export function scorecardPeriod(asked: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const to = asked.to ? new Date(asked.to) : now
  return { from: asked.from ? new Date(asked.from) : new Date(to.getTime() - usualMs), to }
}

/** A figure with so many digits after the point. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** A part of a whole in percent, with one digit: 0 only of nothing, and 100 only of all of it. Null without a whole. */
export function percentOf(part: number, whole: number): number | null {
  if (whole <= 0) return null
  const percent = rounded((part / whole) * 100, 1)
  if (part > 0 && percent === 0) return 0.1
  return part < whole && percent === 100 ? 99.9 : percent
}
