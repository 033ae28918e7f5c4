import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

// Each changes what made it due and writes the event in one statement: whoever comes second finds nothing.
const current = 't.normal_at is null and t.withdrawn_at is null and t.resolved_at is null and t.acknowledged_at is null'
const notSnoozed = 'coalesce(a.snoozed_until <= $1, true) and a.archived_at is null'

const snoozeEndsSql = `
with woken as (update alarms set snoozed_until = null where snoozed_until <= $1 returning company_id, id, escalate_minutes),
notified as (update alarm_triggers t set shelved = false, escalate_at = $1 + w.escalate_minutes * interval '1 minute' from woken w
  where t.company_id = w.company_id and t.alarm_id = w.id and t.shelved and t.opened_at is not null and ${current}
  returning t.company_id, t.alarm_id, t.id)
insert into alarm_events (company_id, kind, alarm_id, trigger_id, at) select company_id, 'unsnoozed', alarm_id, id, $1 from notified`

const remindersSql = `
with due as (select t.company_id, t.id from alarm_triggers t where t.remind_at <= $1 order by t.remind_at limit 1000 for update skip locked),
notified as (update alarm_triggers t set remind_at = case when ${current} then $1 + a.reminder_minutes * interval '1 minute' end
  from due join alarms a on a.company_id = due.company_id
  where t.company_id = due.company_id and t.id = due.id and a.id = t.alarm_id
  returning t.company_id, t.alarm_id, t.id, ${current} and ${notSnoozed} as is_notified)
insert into alarm_events (company_id, kind, alarm_id, trigger_id, at)
select company_id, 'reminder', alarm_id, id, $1 from notified where is_notified`

// An escalation that falls due during a snooze is postponed to its end, because nobody has acknowledged meanwhile.
const escalationsSql = `
with due as (select t.company_id, t.id from alarm_triggers t where t.escalate_at <= $1 order by t.escalate_at limit 1000 for update skip locked),
notified as (update alarm_triggers t set
    escalate_at = case when ${current} and a.archived_at is null and a.snoozed_until > $1
      then a.snoozed_until + a.escalate_minutes * interval '1 minute' end,
    escalated_at = case when ${current} and ${notSnoozed} then $1 end
  from due join alarms a on a.company_id = due.company_id
  where t.company_id = due.company_id and t.id = due.id and a.id = t.alarm_id
  returning t.company_id, t.alarm_id, t.id, t.escalated_at is not null as is_notified)
insert into alarm_events (company_id, kind, alarm_id, trigger_id, at)
select company_id, 'escalated', alarm_id, id, $1 from notified where is_notified`

/** Ends snoozes, reminds and escalates, as far as it is time. */
export const applyDueSteps = (pool: Pool, now: Date): Promise<void> =>
  asPipeline(pool, async ({ client }) => {
    await client.query(snoozeEndsSql, [now])
    await client.query(remindersSql, [now])
    await client.query(escalationsSql, [now])
  })
