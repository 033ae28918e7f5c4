import type { NewRecipient, Recipient } from '@isotherm/contract/alarm-recipients.ts'
import type { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { Alarm, AlarmChange, NewAlarm } from '@isotherm/contract/alarms.ts'
import { writeClosed } from '../../core/alarms/trigger-sql.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import { checkVisibility } from '../../platform/http/check-visibility.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuseOverQuota } from '../../platform/quotas/quotas.ts'
import { checkAlarm } from './check-alarm.ts'
import { keptOf, presentAlarm } from './present.ts'
import { findAlarm, lockAlarm, namersOf, replaceRecipients, replaceTargets } from './queries.ts'

const target = ({ id, name }: Alarm) => ({ kind: 'alarm', id, name })

/** The alarm, or NOT_FOUND where the person may not see it. */
export async function loadAlarm(ctx: Context, id: string): Promise<Alarm> {
  const row = await findAlarm(ctx, id)
  if (!row) throw new AppError('NOT_FOUND')
  return presentAlarm(ctx, row)
}

export async function addAlarm(ctx: Context, alarm: NewAlarm): Promise<Alarm> {
  checkVisibility(ctx, 'public', alarm.visibility)
  await checkAlarm(ctx, alarm)
  await refuseOverQuota(ctx, 'alarms')
  const now = ctx.clock.now()
  const { id } = await ctx.tx
    .insertInto('alarms')
    .values({
      company_id: ctx.companyId,
      ...columnsOf(alarm),
      kind: alarm.rule.kind,
      rule: JSON.stringify(alarm.rule),
      rule_from: now,
      created_at: now,
      created_by: ctx.person.id,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceTargets(ctx, id, alarm)
  const nobody = new Map()
  await replaceRecipients(ctx, id, 'recipients', alarm.recipients, nobody)
  await replaceRecipients(ctx, id, 'escalation', alarm.escalation, nobody)
  const made = await loadAlarm(ctx, id)
  ctx.audit({ action: 'alarms.created', target: target(made), after: keptOf(made) })
  return made
}

const columnsOf = (alarm: Omit<NewAlarm, 'rule'>) => ({
  name: alarm.name,
  severity: alarm.severity,
  visibility: alarm.visibility,
  schedule: alarm.schedule && JSON.stringify(alarm.schedule),
  notify_normal: alarm.notifyNormal,
  reminder_minutes: alarm.reminderMinutes,
  escalate_minutes: alarm.escalateMinutes,
})

/** Omitted fields stay as they are. Readings from before a change of the rule are not judged by the new one. */
export async function changeAlarm(ctx: Context, id: string, change: AlarmChange): Promise<Alarm> {
  await lockAlarm(ctx, id)
  const before = await loadAlarm(ctx, id)
  checkVisibility(ctx, before.visibility, change.visibility)
  const rule = change.rule ?? before.rule
  if (rule.kind !== before.rule.kind) throw invalidField('rule.kind', 'rule.kindStays')
  const wanted = { ...settingsOf(before), ...change, rule }
  if (wanted.deviceIds.length + wanted.groupIds.length === 0) throw invalidField('deviceIds', 'rule.oneTargetNeeded')
  if ((wanted.escalateMinutes === null) !== (wanted.escalation.length === 0))
    throw invalidField('escalation', 'rule.escalationWhole')
  await checkAlarm(ctx, {
    ...wanted,
    // A former choice may be deleted by now; only a new choice must exist.
    deviceIds: change.deviceIds ?? [],
    groupIds: change.groupIds ?? [],
    recipients: change.recipients ?? [],
    escalation: change.escalation ?? [],
    rule: change.rule ?? { kind: 'noData', afterMinutes: 5 },
  })
  await write(ctx, id, before, change, { ...wanted, rule })
  const after = await loadAlarm(ctx, id)
  ctx.audit({ action: 'alarms.changed', target: target(after), ...changesOf(keptOf(before), keptOf(after)) })
  return after
}

async function write(ctx: Context, id: string, before: Alarm, change: AlarmChange, wanted: NewAlarm) {
  const now = ctx.clock.now()
  const isNewRule = JSON.stringify(before.rule) !== JSON.stringify(wanted.rule)
  await ctx.tx
    .updateTable('alarms')
    .set({
      ...columnsOf(wanted),
      rule: JSON.stringify(wanted.rule satisfies AlarmRule),
      ...(isNewRule ? { rule_from: now } : {}),
      updated_at: now,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()
  await replaceTargets(ctx, id, change)
  const namers = await namersOf(ctx, id)
  if (change.recipients) await replaceRecipients(ctx, id, 'recipients', wanted.recipients, namers)
  if (change.escalation) await replaceRecipients(ctx, id, 'escalation', wanted.escalation, namers)
}

function settingsOf(alarm: Alarm): NewAlarm {
  return {
    name: alarm.name,
    severity: alarm.severity,
    visibility: alarm.visibility,
    deviceIds: alarm.devices.map(({ id }) => id),
    groupIds: alarm.groups.map(({ id }) => id),
    recipients: alarm.recipients.map(wantedOf),
    escalation: alarm.escalation.map(wantedOf),
    escalateMinutes: alarm.escalateMinutes,
    reminderMinutes: alarm.reminderMinutes,
    notifyNormal: alarm.notifyNormal,
    schedule: alarm.schedule,
    rule: alarm.rule,
  }
}

function wantedOf({ userId, address, channels }: Recipient): NewRecipient {
  if (userId !== null) return { userId, channels: channels as ('app' | 'mail')[] }
  if (channels.includes('mail')) return { email: address ?? '' }
  if (channels.includes('webhook')) return { webhook: address ?? '' }
  return { phone: address ?? '', channels: channels as ('sms' | 'chat')[] }
}

/** Deletes it: it watches no more. Its triggers stay on record; those that were open are closed. */
export async function removeAlarm(ctx: Context, id: string): Promise<void> {
  await lockAlarm(ctx, id)
  const alarm = await loadAlarm(ctx, id)
  const now = ctx.clock.now()
  await ctx.tx
    .updateTable('alarms')
    .set({ archived_at: now, snoozed_until: null })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()
  await writeClosed(ctx.tx, ctx.companyId, [id], { by: { id: null, name: 'system' }, now })
  ctx.audit({ action: 'alarms.deleted', target: target(alarm), before: keptOf(alarm) })
}
