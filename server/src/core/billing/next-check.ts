const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * When a payment that has not ended is asked for again: after half of its age, from a minute to six hours, for three days; once more after a
 * week; then no more. Webhooks and returning payers make it sooner.
 */
export function nextCheck(createdAt: Date, now: Date): Date | null {
  const age = now.getTime() - createdAt.getTime()
  if (age >= 7 * dayMs) return null
  if (age >= 3 * dayMs) return new Date(createdAt.getTime() + 7 * dayMs)
  return new Date(now.getTime() + Math.min(Math.max(age / 2, minuteMs), 6 * hourMs))
}
