import { snoozeUntil } from '../../core/alarms/alarm-queries.ts'
import { endSnoozes } from '../../core/alarms/trigger-sql.ts'
import type { Context } from '../../platform/context.ts'
import { snoozeEnd } from './policy.ts'
import { presentSnooze, target } from './present.ts'
import { type AlarmRow, loadAlarm, lockAlarm, lockSnoozedOtherwise } from './queries.ts'

/** Timed shelving: what happens meanwhile is recorded, not sent. Null ends it. Throws NOT_FOUND, and VALIDATION for a wrong time. */
export async function snoozeAlarm(ctx: Context, id: string, until: string | null): Promise<AlarmRow> {
  await lockAlarm(ctx, id)
  const before = await loadAlarm(ctx, id)
  const at = snoozeEnd(ctx, until)
  await write(ctx, at, [id])
  const after = await loadAlarm(ctx, id)
  ctx.audit({
    action: at ? 'alarms.snoozed' : 'alarms.unsnoozed',
    target: target(before),
    before: { snoozedUntil: presentSnooze(ctx, before) },
    after: { snoozedUntil: presentSnooze(ctx, after) },
  })
  return after
}

/** Snoozes every alarm that the person may see; returns how many it changed. Throws VALIDATION for a wrong time. */
export async function snoozeAll(ctx: Context, until: string | null): Promise<number> {
  const at = snoozeEnd(ctx, until)
  const ids = await lockSnoozedOtherwise(ctx, at)
  await write(ctx, at, ids)
  ctx.audit({
    action: at ? 'alarms.snoozedAll' : 'alarms.unsnoozedAll',
    after: { count: ids.length, snoozedUntil: at?.toISOString() ?? null },
  })
  return ids.length
}

async function write(ctx: Context, until: Date | null, ids: readonly string[]): Promise<void> {
  if (until) await snoozeUntil(ctx, ids, until)
  else await endSnoozes(ctx.tx, ctx.companyId, ids, ctx.clock.now())
}
