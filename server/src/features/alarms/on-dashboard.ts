import type { Dashboard, DashboardAlarmEvent } from '@isotherm/contract/dashboard.ts'
import { sql } from 'kysely'
import type { Context } from '../../platform/http/context.ts'
import { countFaulty } from './faults-sql.ts'
import { openTriggerSql, triggersSql, visibleTriggerSql } from './visible.ts'

const maxAlarms = 20
/** Events are looked for among this many triggers that opened last: a past of millions costs nothing. */
const latestTriggers = 1_000

interface EventRow {
  kind: DashboardAlarmEvent['kind']
  at: Date
  id: string
  alarm_name: string
  device_id: number
  device_name: string
  severity: 'warning' | 'critical'
  by: string | null
}

/** The dashboard's part about alarms; null for a role that may not see them. */
export async function alarmsOnDashboard(ctx: Context): Promise<Dashboard['alarms']> {
  if (!ctx.can('alarms.view')) return null
  const [open, events, faulty] = await Promise.all([countOpen(ctx), latestEvents(ctx), countFaulty(ctx)])
  return { open, events: events.map(present), faulty }
}

async function countOpen(ctx: Context): Promise<{ critical: number; warning: number }> {
  const { rows } = await sql<{ critical: number; warning: number }>`
    select count(*) filter (where t.severity = 'critical')::int as critical,
      count(*) filter (where t.severity = 'warning')::int as warning
    from ${triggersSql} where ${visibleTriggerSql(ctx)} and ${openTriggerSql}`.execute(ctx.tx)
  return rows[0] ?? { critical: 0, warning: 0 }
}

async function latestEvents(ctx: Context): Promise<EventRow[]> {
  const of = (kind: EventRow['kind'], column: string, by: string) => sql`
    (select ${kind} as kind, ${sql.raw(column)} as at, t.id, a.name as alarm_name, d.id as device_id, d.name as device_name,
      t.severity, ${sql.raw(by)} as by
    from latest t join alarms a on a.company_id = t.company_id and a.id = t.alarm_id
      join devices d on d.company_id = t.company_id and d.id = t.device_id
    where ${visibleTriggerSql(ctx)} and ${sql.raw(column)} is not null and t.withdrawn_at is null
    order by ${sql.raw(column)} desc limit ${maxAlarms})`
  const { rows } = await sql<EventRow>`
    with latest as materialized (select * from alarm_triggers where company_id = ${ctx.companyId} and opened_at is not null
      order by opened_at desc limit ${latestTriggers})
    ${of('alarmOpened', 't.opened_at', 'null::text')}
    union all ${of('alarmAcknowledged', 't.acknowledged_at', "t.acknowledged_by ->> 'name'")}
    union all ${of('alarmNormal', 't.normal_at', 'null::text')}
    union all ${of('alarmResolved', 't.resolved_at', "t.resolved_by ->> 'name'")}
    order by at desc limit ${maxAlarms}`.execute(ctx.tx)
  return rows
}

const present = (row: EventRow): DashboardAlarmEvent => ({
  kind: row.kind,
  at: row.at.toISOString(),
  triggerId: row.id,
  alarmName: row.alarm_name,
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  severity: row.severity,
  by: row.by,
})
