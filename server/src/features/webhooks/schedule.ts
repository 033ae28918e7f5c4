const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The time before each attempt: the first at once, the last three days after. */
export const waitsMs = [
  0,
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
] as const
export const maxAttempts = waitsMs.length

/** Admins are told of an endpoint that has failed for so long, and so often; after five days it is disabled. */
export const warnAfterMs = dayMs
export const warnAfterFailures = 10
export const disableAfterMs = 5 * dayMs

const jitter = 0.2
const maxRetryAfterMs = dayMs

/**
 * The time until the next attempt, after so many; null: that was the last. A receiver may ask for more time than the schedule gives, up to a day.
 * `random`: from 0 to 1.
 */
export function nextWaitMs(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const wait = waitsMs[attempts]
  if (wait === undefined) return null
  const spread = wait * (1 - jitter + 2 * jitter * random)
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)))
}

/** The header Retry-After: seconds, or a date. Null where it says nothing that is understood. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = /^[A-Z][a-z]+, \d/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
