import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import type { NewGroupRecord } from '@isotherm/contract/records.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
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

/** The window of a record up to now, ms: empty of one that has not begun. */
export function windowOf(record: Pick<RecordRow, 'start_at' | 'end_at'>, now: Date): { from: number; to: number } {
  const from = record.start_at.getTime()
  const to = Math.min(record.end_at?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime())
  return { from, to: Math.max(from, to) }
}

export function periodOf(record: Pick<RecordRow, 'start_at' | 'end_at'>, now: Date): Period {
  const { from, to } = windowOf(record, now)
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
