import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { AlarmChange } from '@isotherm/contract/alarms.ts'
import { updateAlarm } from '../../core/alarms/alarm-queries.ts'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { checkAlarm } from './check-alarm.ts'
import { columnsOf } from './columns.ts'
import { staysWhole } from './policy.ts'
import { auditSnapshot, target } from './present.ts'
import { type AlarmRow, loadAlarm, lockAlarm } from './queries.ts'
import { namersOf, replaceRecipients } from './recipient-queries.ts'
import { replaceTargets } from './target-queries.ts'

/**
 * Changes an alarm; omitted fields stay as they are. Readings from before a change of the rule are not judged by the new one.
 * Throws NOT_FOUND, CHANGED_MEANWHILE, and VALIDATION for another kind of rule, for what would not be whole, and for what is chosen but not there.
 */
export async function changeAlarm(ctx: Context, id: string, { version, ...change }: AlarmChange): Promise<AlarmRow> {
  await lockAlarm(ctx, id)
  const before = await loadAlarm(ctx, id)
  refuseOutdated(before, version)
  checkVisibility(ctx, before.visibility === 'private' ? 'private' : 'public', change.visibility)
  staysWhole(before, change)
  await checkAlarm(ctx, change)
  const now = ctx.clock.now()
  const rule = change.rule && JSON.stringify(change.rule)
  const isNewRule = rule !== undefined && rule !== JSON.stringify(AlarmRule.parse(before.rule))
  await updateAlarm(ctx, id, {
    ...columnsOf(change),
    ...(isNewRule ? { rule, rule_from: now } : {}),
    version: before.version + 1,
    updated_at: now,
  })
  await replaceTargets(ctx, id, change)
  const namers = await namersOf(ctx, id)
  if (change.recipients) await replaceRecipients(ctx, id, 'recipients', change.recipients, namers)
  if (change.escalation) await replaceRecipients(ctx, id, 'escalation', change.escalation, namers)
  await noteCompany(ctx)
  const after = await loadAlarm(ctx, id)
  ctx.audit({
    action: 'alarms.changed',
    target: target(after),
    ...changesOf(auditSnapshot(ctx, before), auditSnapshot(ctx, after)),
  })
  return after
}
