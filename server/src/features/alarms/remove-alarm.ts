import { updateAlarm } from '../../core/alarms/alarm-queries.ts'
import { writeClosed } from '../../core/alarms/trigger-sql.ts'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import type { Context } from '../../platform/context.ts'
import { auditSnapshot, target } from './present.ts'
import { loadAlarm, lockAlarm } from './queries.ts'

/** Deletes an alarm: it watches no more. Its triggers stay on record; those that were open are closed. Throws NOT_FOUND. */
export async function removeAlarm(ctx: Context, id: string): Promise<void> {
  await lockAlarm(ctx, id)
  const alarm = await loadAlarm(ctx, id)
  const now = ctx.clock.now()
  await updateAlarm(ctx, id, { archived_at: now, snoozed_until: null })
  await noteCompany(ctx)
  await writeClosed(ctx.tx, ctx.companyId, [id], { by: { id: null, name: 'system' }, now })
  ctx.audit({ action: 'alarms.deleted', target: target(alarm), before: auditSnapshot(ctx, alarm) })
}
