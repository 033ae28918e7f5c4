import { dayMs } from '@isotherm/contract/zone-times.ts'

/** As many as the schedule of renewals lets pass before a plan expires: what held it up longer is not charged to anybody. */
const graceMs = 14 * dayMs
/** For so long the period that follows is owed; the days before it are forgotten with it. */
const owedMs = 60 * dayMs

/** A subscription, as far as the days count that it ran without being paid. */
export interface RanUnpaid {
  state: string
  period_end: Date
  ended_at: Date | null
  /** Days before this are counted already, or are not to be counted. */
  unpaid_from: Date | null
}

/** The days of grace of a subscription that were used and that nobody has paid yet. */
export interface UnpaidDays {
  ms: number
  /** They are counted up to here. */
  until: Date
}

/** One that is paid late goes on from the end of its period by itself; this counts for what begins anew. */
export function unpaidDays(
  { state, period_end: end, ended_at: endedAt, unpaid_from: from }: RanUnpaid,
  now: Date,
): UnpaidDays {
  const ranUntil = state === 'past_due' ? now : (endedAt ?? end)
  const until = new Date(Math.min(ranUntil.getTime(), end.getTime() + graceMs))
  const isForgotten = state === 'active' || now.getTime() - end.getTime() > owedMs
  return { ms: isForgotten ? 0 : Math.max(0, until.getTime() - (from ?? end).getTime()), until }
}
