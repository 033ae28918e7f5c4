import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { sql } from 'kysely'
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
  if (ids.length === 0) return
  await sql`update alarms set snoozed_until = ${until}, snoozed_by = ${ctx.person.id}::int8
    where company_id = ${ctx.companyId} and id = any(${ids}::int8[])`.execute(ctx.tx)
  if (until === null) await announceShelved(ctx, ids)
}

/** On un-snooze, notify about triggers that opened during the snooze and are still open; restart their escalation timers. */
async function announceShelved(ctx: Context, ids: readonly string[]) {
  await sql`
    with still as (
      update alarm_triggers t set shelved = false, escalate_at = case when t.shelved or t.escalate_at is not null
        then ${ctx.clock.now()}::timestamptz + a.escalate_minutes * interval '1 minute' end
      from alarms a, alarm_triggers was
      where t.company_id = ${ctx.companyId} and t.alarm_id = any(${ids}::int8[]) and t.opened_at is not null
        and t.normal_at is null and t.withdrawn_at is null and t.acknowledged_at is null and t.resolved_at is null
        and a.company_id = t.company_id and a.id = t.alarm_id and was.company_id = t.company_id and was.id = t.id
      returning t.alarm_id, t.id, was.shelved),
    notified as (select alarm_id, id from still where shelved)
    insert into alarm_events (company_id, kind, alarm_id, trigger_id, at)
    select ${ctx.companyId}, 'unsnoozed', alarm_id, id, ${ctx.clock.now()} from notified`.execute(ctx.tx)
}
