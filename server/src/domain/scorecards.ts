const usualMs = 90 * 86_400_000

/** The period of scorecards: the one that is asked for, else the last 90 days. */
export function scorecardPeriod(asked: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const to = asked.to ? new Date(asked.to) : now
  return { from: asked.from ? new Date(asked.from) : new Date(to.getTime() - usualMs), to }
}

/** A figure with so many digits after the point. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** A part of a whole in percent, with one digit; null without a whole. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? rounded((part / whole) * 100, 1) : null
