import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import type { RecordDevice, RecordStats } from '@isotherm/contract/records.ts'

const earlier = (a: string, b: string) => (Date.parse(a) < Date.parse(b) ? a : b)
/** One that has just joined still has a width. */
const leastMs = 60_000

/**
 * The part of a record's period that counts of one of its devices. Where it joined under way its figures say when that begins: with a reading, not
 * with the joining; null as long as nothing counts, or nobody knows yet.
 */
export function ownPeriod(
  period: Period,
  { id, joinedAt, leftAt }: Pick<RecordDevice, 'id' | 'joinedAt' | 'leftAt'>,
  stats: Pick<RecordStats, 'devices'> | undefined,
): Period | null {
  if (joinedAt === null && leftAt === null) return period
  const from = joinedAt === null ? period.from : stats?.devices.find(({ deviceId }) => deviceId === id)?.period.from
  if (from === undefined) return null
  const to = leftAt === null ? period.to : earlier(leftAt, period.to)
  return {
    from,
    to: Date.parse(to) - Date.parse(from) < leastMs ? new Date(Date.parse(from) + leastMs).toISOString() : to,
  }
}

const longestMs = limits.maxPeriodDays * 86_400_000

/** The newest part that history can be asked for: a record that nobody ends may run for years. */
export function newestPart(period: Period): Period {
  const from = Date.parse(period.to) - longestMs
  return Date.parse(period.from) < from ? { from: new Date(from).toISOString(), to: period.to } : period
}
