import type { DashboardAlarmEvent } from '@isotherm/contract/dashboard.ts'
import type { OpenAlarms } from '@isotherm/contract/devices.ts'
import { sql } from 'kysely'
import { isSql, markSql } from '../../core/alarms/trigger-sql.ts'
import type { Mark } from '../../domain/trigger-lifecycle.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { triggersSql, visibleTriggerSql } from './visible-sql.ts'

const maxAlarms = 20
/** Events are looked for among this many triggers that opened last: a past of millions costs nothing. */
const latestTriggers = 1_000

export interface EventRow {
  kind: DashboardAlarmEvent['kind']
  at: Date
  id: string
  alarm_name: string
  device_id: number
  device_name: string
  severity: 'warning' | 'critical'
  by: string | null
}

export async function countOpen(ctx: ViewerTx): Promise<{ critical: number; warning: number }> {
  const { rows } = await sql<{ critical: number; warning: number }>`
    select count(*) filter (where t.severity = 'critical')::int as critical,
      count(*) filter (where t.severity = 'warning')::int as warning
    from ${triggersSql} where ${visibleTriggerSql(ctx)} and ${isSql('open')}`.execute(ctx.tx)
  return rows[0] ?? { critical: 0, warning: 0 }
}

export async function latestEvents(ctx: ViewerTx): Promise<EventRow[]> {
  const of = (kind: EventRow['kind'], mark: Mark, by: string) => sql`
    (select ${kind} as kind, ${markSql(mark)} as at, t.id, a.name as alarm_name, d.id as device_id, d.name as device_name,
      t.severity, ${sql.raw(by)} as by
    from latest t join alarms a on a.company_id = t.company_id and a.id = t.alarm_id
      join devices d on d.company_id = t.company_id and d.id = t.device_id
    where ${visibleTriggerSql(ctx)} and ${markSql(mark)} is not null and ${isSql('notWithdrawn')}
    order by ${markSql(mark)} desc limit ${maxAlarms})`
  return allRows<EventRow>(ctx.tx)`
    with latest as materialized (select * from alarm_triggers t where company_id = ${ctx.companyId} and ${isSql('recorded')}
      order by opened_at desc limit ${latestTriggers})
    ${of('alarmOpened', 'opened', 'null::text')}
    union all ${of('alarmAcknowledged', 'acknowledged', "t.acknowledged_by ->> 'name'")}
    union all ${of('alarmNormal', 'normal', 'null::text')}
    union all ${of('alarmResolved', 'resolved', "t.resolved_by ->> 'name'")}
    order by at desc limit ${maxAlarms}`
}

/** How many alarms are open at each of these devices, and the worst of them. */
export const countOpenOf = (ctx: ViewerTx, deviceIds: readonly number[]) =>
  allRows<{ device_id: number } & OpenAlarms>(ctx.tx)`
    select t.device_id, count(*)::int as count,
      case when bool_or(t.severity = 'critical') then 'critical' else 'warning' end as severity
    from ${triggersSql}
    where ${visibleTriggerSql(ctx)} and t.device_id = any(${[...deviceIds]}::int4[]) and ${isSql('open')}
    group by t.device_id`
