import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import type { AlarmChange } from '@isotherm/contract/alarms.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import type { AlarmRow } from './queries.ts'

/** Whether a person may see alarms at all; others get empty lists where alarms are shown beside something else. */
export const seesAlarms = (ctx: Pick<Context, 'can'>): boolean => ctx.can('alarms.view')

/** Recipients may acknowledge; to resolve needs the permission. */
export const mayHandle = (
  ctx: Pick<Context, 'can'>,
  trigger: { is_recipient: boolean },
  action: 'acknowledge' | 'resolve',
): boolean => ctx.can('alarms.addOrEdit') || (action === 'acknowledge' && trigger.is_recipient)

/** Throws VALIDATION where an alarm would get another kind of rule, watch nothing, or have half an escalation. */
export function staysWhole(before: AlarmRow, change: AlarmChange): void {
  if (change.rule && change.rule.kind !== before.kind) throw invalidField('rule.kind', 'rule.kindStays')
  const targets = [...(change.deviceIds ?? before.devices), ...(change.groupIds ?? before.groups)]
  if (targets.length === 0) throw invalidField('deviceIds', 'rule.oneTargetNeeded')
  const { escalateMinutes = before.escalate_minutes } = change
  const escalation = change.escalation ?? before.recipients.filter(({ tier }) => tier === 2)
  if ((escalateMinutes === null) !== (escalation.length === 0)) throw invalidField('escalation', 'rule.escalationWhole')
}

/** The end of a snooze that somebody asks for; null ends one now. Throws VALIDATION where it is past or too far off. */
export function snoozeEnd({ clock }: Pick<Context, 'clock'>, until: string | null): Date | null {
  if (until === null) return null
  const [at, now] = [Date.parse(until), clock.now().getTime()]
  if (at <= now) throw invalidField('until', 'rule.snoozeInPast')
  if (at > now + alarmLimits.snoozeDays * 86_400_000)
    throw invalidField('until', 'rule.snoozeTooLong', { days: alarmLimits.snoozeDays })
  return new Date(at)
}
