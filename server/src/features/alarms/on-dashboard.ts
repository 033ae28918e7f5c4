import type { Dashboard, DashboardAlarmEvent } from '@isotherm/contract/dashboard.ts'
import { sql } from 'kysely'
import { isSql, markSql } from '../../core/alarms/trigger-sql.ts'
import type { Mark } from '../../domain/trigger-lifecycle.ts'
import type { Context } from '../../platform/http/context.ts'
import { countFaulty } from './faults-sql.ts'
import { triggersSql, visibleTriggerSql } from './visible.ts'

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
    from ${triggersSql} where ${visibleTriggerSql(ctx)} and ${isSql('open')}`.execute(ctx.tx)
  return rows[0] ?? { critical: 0, warning: 0 }
}

async function latestEvents(ctx: Context): Promise<EventRow[]> {
  const of = (kind: EventRow['kind'], mark: Mark, by: string) => sql`
    (select ${kind} as kind, ${markSql(mark)} as at, t.id, a.name as alarm_name, d.id as device_id, d.name as device_name,
      t.severity, ${sql.raw(by)} as by
    from latest t join alarms a on a.company_id = t.company_id and a.id = t.alarm_id
      join devices d on d.company_id = t.company_id and d.id = t.device_id
    where ${visibleTriggerSql(ctx)} and ${markSql(mark)} is not null and ${isSql('notWithdrawn')}
    order by ${markSql(mark)} desc limit ${maxAlarms})`
  const { rows } = await sql<EventRow>`
    with latest as materialized (select * from alarm_triggers t where company_id = ${ctx.companyId} and ${isSql('recorded')}
      order by opened_at desc limit ${latestTriggers})
    ${of('alarmOpened', 'opened', 'null::text')}
    union all ${of('alarmAcknowledged', 'acknowledged', "t.acknowledged_by ->> 'name'")}
    union all ${of('alarmNormal', 'normal', 'null::text')}
    union all ${of('alarmResolved', 'resolved', "t.resolved_by ->> 'name'")}
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
