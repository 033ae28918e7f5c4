import type { NewAlarm } from '@isotherm/contract/alarms.ts'
import { insertAlarm } from '../../core/alarms/alarm-queries.ts'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import type { Context } from '../../platform/context.ts'
import { checkAlarm } from './check-alarm.ts'
import { columnsOf } from './columns.ts'
import { auditSnapshot, target } from './present.ts'
import { type AlarmRow, loadAlarm } from './queries.ts'
import { replaceRecipients } from './recipient-queries.ts'
import { replaceTargets } from './target-queries.ts'

/** Adds an alarm. Throws VALIDATION for what is chosen but not there, QUOTA_EXCEEDED. */
export async function addAlarm(ctx: Context, alarm: NewAlarm): Promise<AlarmRow> {
  checkVisibility(ctx, 'public', alarm.visibility)
  await checkAlarm(ctx, alarm)
  await refuseOverQuota(ctx, 'alarms')
  const now = ctx.clock.now()
  const id = await insertAlarm(ctx, {
    ...columnsOf(alarm),
    kind: alarm.rule.kind,
    rule: JSON.stringify(alarm.rule),
    rule_from: now,
    created_at: now,
    created_by: ctx.person.id,
    updated_at: now,
  })
  await replaceTargets(ctx, id, alarm)
  const nobody = new Map()
  await replaceRecipients(ctx, id, 'recipients', alarm.recipients, nobody)
  await replaceRecipients(ctx, id, 'escalation', alarm.escalation, nobody)
  await noteCompany(ctx)
  const made = await loadAlarm(ctx, id)
  ctx.audit({ action: 'alarms.created', target: target(made), after: auditSnapshot(ctx, made) })
  return made
}
