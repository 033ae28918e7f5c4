import { insertDevices, type RecordRow, updateRecord } from '../../core/records/record-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { refuseOverlap } from './policy.ts'
import { target } from './present.ts'
import { lockGroupDevices } from './queries.ts'
import { membersOf } from './visibility-queries.ts'

/** Begins a planned, locked record now. Throws RECORD_STARTED, RECORD_ENDED, RECORD_EMPTY, RECORD_OVERLAPS or RECORD_OVERLAPS_UNSEEN. */
export async function startRecord(ctx: Context, record: RecordRow): Promise<void> {
  if (record.state !== 'planned') throw new AppError('RECORD_STARTED')
  const now = ctx.clock.now()
  if (record.end_at && record.end_at <= now) throw new AppError('RECORD_ENDED')
  if (record.group_id !== null) {
    const devices = await lockGroupDevices(ctx, record.group_id)
    if (devices.length === 0) throw new AppError('RECORD_EMPTY')
    await insertDevices(
      ctx,
      record.id,
      devices.map(({ id }) => id),
    )
  }
  // It begins earlier now than was planned: others may lie in between.
  const ids = (await membersOf(ctx, { ...record, state: 'running' })).map((member) => member.id)
  await refuseOverlap(ctx, { ...record, startAt: now, endAt: record.start_at }, ids)
  await updateRecord(ctx, record.id, { state: 'running', start_at: now })
  ctx.audit({ action: 'records.started', target: target(record), after: { startAt: now.toISOString() } })
}
