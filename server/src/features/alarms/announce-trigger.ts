import type { TriggerState } from '@isotherm/contract/triggers.ts'
import type { Context } from '../../platform/context.ts'
import type { TriggerRow } from './trigger-queries.ts'

/** Tells browsers, after the commit, that something about a trigger changed. */
export function announceTrigger(ctx: Context, row: TriggerRow, state: TriggerState): void {
  const data = {
    id: row.id,
    deviceId: String(row.device_id),
    alarmId: row.alarm_id,
    severity: row.severity === 'critical' ? ('critical' as const) : ('warning' as const),
    state,
  }
  const about = { companyId: ctx.companyId, kind: 'trigger' as const, deviceId: row.device_id }
  ctx.afterCommit(() => ctx.services.bus.publish({ ...about, alarmIsPrivate: row.alarm_is_private, data }))
}
