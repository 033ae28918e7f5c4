import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { sql } from 'kysely'
import { endSnoozes } from '../../core/alarms/trigger-sql.ts'
import { invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { loadAlarm } from './save-alarm.ts'
import { visibleAlarmSql } from './visible.ts'

const longestMs = alarmLimits.snoozeDays * 86_400_000

function checkUntil(ctx: Context, until: string | null): Date | null {
  if (until === null) return null
  const [at, now] = [Date.parse(until), ctx.clock.now().getTime()]
  if (at <= now) throw invalidField('until', 'rule.snoozeInPast')
  if (at > now + longestMs) throw invalidField('until', 'rule.snoozeTooLong', { days: alarmLimits.snoozeDays })
  return new Date(at)
}

/** Timed shelving: what happens meanwhile is recorded, not sent. Null ends it. */
export async function snoozeAlarm(ctx: Context, id: string, until: string | null) {
  const before = await loadAlarm(ctx, id)
  const at = checkUntil(ctx, until)
  await setSnooze(ctx, at, [id])
  const after = await loadAlarm(ctx, id)
  ctx.audit({
    action: at ? 'alarms.snoozed' : 'alarms.unsnoozed',
    target: { kind: 'alarm', id, name: before.name },
    before: { snoozedUntil: before.snoozedUntil },
    after: { snoozedUntil: after.snoozedUntil },
  })
  return after
}

/** Every alarm the person may see. */
export async function snoozeAll(ctx: Context, until: string | null): Promise<{ changed: number }> {
  const at = checkUntil(ctx, until)
  const { rows } = await sql<{ id: string }>`select a.id from alarms a
    where ${visibleAlarmSql(ctx)} and a.archived_at is null and a.snoozed_until is distinct from ${at}
    order by a.id for no key update`.execute(ctx.tx)
  const ids = rows.map((row) => row.id)
  await setSnooze(ctx, at, ids)
  ctx.audit({
    action: at ? 'alarms.snoozedAll' : 'alarms.unsnoozedAll',
    after: { count: ids.length, snoozedUntil: at?.toISOString() ?? null },
  })
  return { changed: ids.length }
}

async function setSnooze(ctx: Context, until: Date | null, ids: readonly string[]) {
  if (until === null) return endSnoozes(ctx.tx, ctx.companyId, ids, ctx.clock.now())
  await sql`update alarms set snoozed_until = ${until}, snoozed_by = ${ctx.person.id}::int8
    where company_id = ${ctx.companyId} and id = any(${ids}::int8[])`.execute(ctx.tx)
}
