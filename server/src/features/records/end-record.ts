import { type RecordRow, updateRecord } from '../../core/records/record-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { target } from './present.ts'

/** Ends a running, locked record now. Throws RECORD_NOT_STARTED or RECORD_ENDED. */
export async function endRecord(ctx: Context, record: RecordRow): Promise<void> {
  const now = ctx.clock.now()
  if (record.state === 'planned') throw new AppError('RECORD_NOT_STARTED')
  // One whose time came is over, though the sweep has not said so yet.
  if (record.state === 'ended' || (record.end_at && record.end_at <= now)) throw new AppError('RECORD_ENDED')
  const endAt = new Date(Math.max(now.getTime(), record.start_at.getTime() + 1))
  await updateRecord(ctx, record.id, { state: 'ended', ended_by: 'hand', end_at: endAt })
  ctx.audit({ action: 'records.ended', target: target(record), after: { endAt: endAt.toISOString(), by: 'hand' } })
}
