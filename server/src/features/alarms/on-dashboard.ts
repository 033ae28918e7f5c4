import type { Dashboard, DashboardAlarmEvent } from '@isotherm/contract/dashboard.ts'
import type { OpenAlarms } from '@isotherm/contract/devices.ts'
import type { Context } from '../../platform/context.ts'
import { countOpen, countOpenOf, type EventRow, latestEvents } from './dashboard-queries.ts'
import { countFaulty } from './faults-sql.ts'
import { seesAlarms } from './policy.ts'

/** The dashboard's part about alarms; null for a role that may not see them. */
export async function alarmsOnDashboard(ctx: Context): Promise<Dashboard['alarms']> {
  if (!seesAlarms(ctx)) return null
  const [open, events, faulty] = await Promise.all([countOpen(ctx), latestEvents(ctx), countFaulty(ctx)])
  return { open, events: events.map(present), faulty }
}

/** The open alarms of those of these devices that have any; of none for a role that may not see alarms. */
export async function openAlarmsOf(ctx: Context, deviceIds: readonly number[]): Promise<Map<number, OpenAlarms>> {
  if (deviceIds.length === 0 || !seesAlarms(ctx)) return new Map()
  const rows = await countOpenOf(ctx, deviceIds)
  return new Map(rows.map(({ device_id, count, severity }) => [device_id, { count, severity }]))
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
