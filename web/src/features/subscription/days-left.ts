const dayMs = 86_400_000

/** The days until an instant, one that has begun included: what ends within a day has one left. */
export const daysLeft = (until: string, now: number): number =>
  Math.max(0, Math.ceil((new Date(until).getTime() - now) / dayMs))
