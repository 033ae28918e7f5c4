import { type RecordRow, updateRecord } from '../../core/records/record-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { auditSnapshot, target } from './present.ts'
import { signaturesOf } from './queries.ts'

/** Deletes a locked record that nobody has signed: signed evidence stays. Throws RECORD_SIGNED. */
export async function removeRecord(ctx: Context, record: RecordRow): Promise<void> {
  if ((await signaturesOf(ctx, [record.id])).length > 0) throw new AppError('RECORD_SIGNED')
  await updateRecord(ctx, record.id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'records.removed', target: target(record), before: auditSnapshot(record) })
}
