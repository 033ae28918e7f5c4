import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import type { NewGroupRecord } from '@isotherm/contract/records.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { type Stretch, without } from '../../domain/budget.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { refuseDisorder } from '../../platform/http/order-of-times.ts'

const dayMs = 86_400_000

export interface RecordWindow {
  startAt: Date
  endAt: Date | null
  state: 'planned' | 'running' | 'ended'
}

/** The window that is asked for; throws VALIDATION. Longer than history can be asked for, it could not be shown. */
export function windowFor(ctx: Context, input: Pick<NewGroupRecord, 'startAt' | 'endAt'>): RecordWindow {
  const now = ctx.clock.now()
  const startAt = input.startAt ? new Date(input.startAt) : now
  const endAt = input.endAt ? new Date(input.endAt) : null
  if (endAt) refuseDisorder('startAt', startAt, endAt)
  if ((endAt ?? now).getTime() - startAt.getTime() > limits.maxPeriodDays * dayMs)
    throw invalidField('endAt', 'rule.periodTooLong', { limit: limits.maxPeriodDays })
  if (startAt.getTime() - now.getTime() > 366 * dayMs) throw invalidField('startAt', 'rule.recordTooFar')
  const state = startAt > now ? 'planned' : endAt && endAt <= now ? 'ended' : 'running'
  return { startAt, endAt, state }
}

/** A span up to an instant, ms: empty of one that has not begun. */
export function spanUpTo({ since, until }: { since: Date; until: Date | null }, at: number): Stretch {
  const from = since.getTime()
  return { from, to: Math.max(from, Math.min(until?.getTime() ?? Number.POSITIVE_INFINITY, at)) }
}

/** The window of a record up to now, ms: empty of one that has not begun. */
export const windowOf = (record: Pick<RecordRow, 'start_at' | 'end_at'>, now: Date): Stretch =>
  spanUpTo({ since: record.start_at, until: record.end_at }, now.getTime())

export function periodOf(record: Pick<RecordRow, 'start_at' | 'end_at'>, now: Date): Period {
  return asPeriod(windowOf(record, now))
}

const asPeriod = ({ from, to }: Stretch): Period => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

/** A device of a record, with when it joined the record under way and was taken off, and what counts of it; null: of all of the record. */
export interface InRecord {
  joined_at: Date | null
  left_at: Date | null
  counts_from: Date | null
}

/** The time that counts of a device in its record up to now; null: none does. */
export function ownPeriod(
  record: Pick<RecordRow, 'start_at' | 'end_at'>,
  { counts_from: since, left_at: until }: InRecord,
  now: Date,
): Period | null {
  const { from, to } = windowOf(record, now)
  const own = {
    from: Math.max(from, since?.getTime() ?? Number.NEGATIVE_INFINITY),
    to: Math.min(to, until?.getTime() ?? Number.POSITIVE_INFINITY),
  }
  return own.from <= own.to ? asPeriod(own) : null
}

/** Whether a device attends its record: something counts of it, or it is in the record and its first reading since its joining is still awaited. */
export const attends = (record: Pick<RecordRow, 'start_at' | 'end_at'>, member: InRecord, now: Date): boolean =>
  ownPeriod(record, member, now) !== null ||
  (member.left_at === null && (record.end_at === null || record.end_at > now) && record.start_at <= now)

/** The time of a record up to now in which it had none of these devices, in order. */
export function unattended(
  record: Pick<RecordRow, 'start_at' | 'end_at'>,
  members: readonly InRecord[],
  now: Date,
): Period[] {
  const spans = members.map(({ joined_at, left_at }) => ({
    from: joined_at?.getTime() ?? Number.NEGATIVE_INFINITY,
    to: left_at?.getTime() ?? Number.POSITIVE_INFINITY,
  }))
  return members.length === 0 ? [] : without([windowOf(record, now)], spans).map(asPeriod)
}
