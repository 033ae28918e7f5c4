import type { OpenAlarms } from '@isotherm/contract/devices.ts'
import { sql } from 'kysely'
import { isSql } from '../../core/alarms/trigger-sql.ts'
import type { Context } from '../../platform/http/context.ts'
import { triggersSql, visibleTriggerSql } from './visible.ts'

/** The open alarms of those of these devices that have any; of none for a role that may not see alarms. */
export async function openAlarmsOf(ctx: Context, deviceIds: readonly number[]): Promise<Map<number, OpenAlarms>> {
  if (deviceIds.length === 0 || !ctx.can('alarms.view')) return new Map()
  const { rows } = await sql<{ device_id: number } & OpenAlarms>`
    select t.device_id, count(*)::int as count,
      case when bool_or(t.severity = 'critical') then 'critical' else 'warning' end as severity
    from ${triggersSql}
    where ${visibleTriggerSql(ctx)} and t.device_id = any(${[...deviceIds]}::int4[]) and ${isSql('open')}
    group by t.device_id`.execute(ctx.tx)
  return new Map(rows.map(({ device_id, count, severity }) => [device_id, { count, severity }]))
}
