/** How long a company keeps its readings: in force, and what is announced. */
export interface Retention {
  /** Null: for ever. */
  months: number | null
  next: { months: number; announcedAt: Date; toldAgainAt: Date | null; at: Date } | null
}

const dayMs = 86_400_000
/** Nothing goes earlier than so many days after it was announced. */
const noticeDays = 90
/** It is said again so many days before. */
const lastNoticeDays = 30

/**
 * - `announce`: people are told that readings go from `at` on
 * - `again`: they are told once more; `at` is later where that was missed
 * - `begin`: what was announced holds from now on
 * - `lengthen`: readings stay longer than before; nothing is announced any more
 * - `withdraw`: what was announced does not come
 * - `lift`: readings stay for ever
 */
type RetentionStep =
  | { act: 'announce'; months: number; at: Date }
  | { act: 'again'; months: number; at: Date }
  | { act: 'begin' | 'lengthen'; months: number }
  | { act: 'withdraw' | 'lift' }

const after = (at: Date, days: number) => new Date(at.getTime() + days * dayMs)

/** The next step about the readings of a company, if one is due. `wanted`: the months of its plan; null: for ever. */
export function retentionStep({ months, next }: Retention, wanted: number | null, now: Date): RetentionStep | null {
  if (wanted === null) return months === null && next === null ? null : { act: 'lift' }
  if (months !== null && wanted > months) return { act: 'lengthen', months: wanted }
  if (months === wanted) return next ? { act: 'withdraw' } : null
  if (next?.months !== wanted) return { act: 'announce', months: wanted, at: after(now, noticeDays) }
  if (next.toldAgainAt) return now >= next.at ? { act: 'begin', months: wanted } : null
  if (now < after(next.at, -lastNoticeDays)) return null
  // A server that was off has nobody lose the days between the second notice and the end.
  return {
    act: 'again',
    months: wanted,
    at: new Date(Math.max(next.at.getTime(), after(now, lastNoticeDays).getTime())),
  }
}

/** The instant so many months before another, by the calendar of UTC; the end of a shorter month where it has no such day. */
export function monthsBefore(at: Date, months: number): Date {
  const day = new Date(at)
  day.setUTCDate(1)
  day.setUTCMonth(day.getUTCMonth() - months)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  day.setUTCDate(Math.min(at.getUTCDate(), last))
  return day
}
