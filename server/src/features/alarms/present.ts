import { Channel, type Recipient } from '@isotherm/contract/alarm-recipients.ts'
import { AlarmRule, AlarmSchedule, Severity } from '@isotherm/contract/alarm-rules.ts'
import { Alarm, OutsideSoFar, type WebhookKey } from '@isotherm/contract/alarms.ts'
import { hearerAt } from '../../core/alarms/rota-sql.ts'
import type { WebhookKeyRow } from '../../core/alerts/webhook-key.ts'
import { shownWebhook } from '../../core/alerts/webhook-shown.ts'
import type { Context } from '../../platform/context.ts'
import type { OutsideSoFarRow } from './outside-so-far.ts'
import type { AlarmRow, RecipientRow } from './queries.ts'

export function presentAlarm(ctx: Pick<Context, 'clock' | 'can'>, row: AlarmRow): Alarm {
  const recipients = (tier: number) =>
    row.recipients.filter((each) => each.tier === tier).map((each) => presentRecipient(ctx, each, row))
  return {
    id: row.id,
    name: row.name,
    severity: Severity.parse(row.severity),
    visibility: row.visibility === 'private' ? 'private' : 'public',
    rule: AlarmRule.parse(row.rule),
    places: row.places,
    schedule: row.schedule === null ? null : AlarmSchedule.parse(row.schedule),
    devices: row.devices,
    groups: row.groups,
    deviceCount: row.device_count,
    privateDevices: row.private_devices,
    privateDeviceCount: row.private_device_count,
    recipients: recipients(1),
    escalation: recipients(2),
    escalateMinutes: row.escalate_minutes,
    reminderMinutes: row.reminder_minutes,
    notifyNormal: row.notify_normal,
    snoozedUntil: presentSnooze(ctx, row),
    faults: Alarm.shape.faults.parse(row.faults),
    openTriggers: row.open_triggers,
    lastTriggeredAt: row.last_triggered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  }
}

/** Null where it is not snoozed now. */
export const presentSnooze = ({ clock }: Pick<Context, 'clock'>, { snoozed_until }: AlarmRow): string | null =>
  snoozed_until && snoozed_until > clock.now() ? snoozed_until.toISOString() : null

/** A person without a phone number cannot be reached by SMS or chat. */
function presentRecipient(
  ctx: Pick<Context, 'clock' | 'can'>,
  { user_id, address, channels, name, phone, hears_private, rota_id, rota }: RecipientRow,
  { visibility }: Pick<AlarmRow, 'visibility'>,
): Recipient {
  const parsed = channels.map((channel) => Channel.parse(channel))
  const needsPhone = (channel: Channel) => channel === 'sms' || channel === 'chat'
  return {
    userId: user_id,
    rotaId: rota_id,
    name: rota?.name ?? name,
    onCall: (rota && hearerAt(rota, ctx.clock.now(), visibility === 'private')?.name) ?? null,
    address: address && (parsed.includes('webhook') ? shownWebhook(ctx, address) : address),
    channels: parsed,
    unreachable: user_id !== null && !phone ? parsed.filter(needsPhone) : [],
    hearsPrivate: rota ? rota.members.some((each) => each.isAvailable && each.hearsPrivate) : hears_private,
  }
}

export const presentWebhookKey = ({ secret, created_at }: WebhookKeyRow): WebhookKey => ({
  secret,
  createdAt: created_at.toISOString(),
})

/** Whole minutes, as what is allowed is: a minute that is not over does not count yet. */
export const presentOutside = ({ device, condition, totalMs, since, recordFrom }: OutsideSoFarRow): OutsideSoFar => ({
  device,
  condition: OutsideSoFar.shape.condition.parse(condition),
  minutes: Math.floor(totalMs / 60_000),
  since: since === null ? null : new Date(since).toISOString(),
  recordFrom: recordFrom === null ? null : new Date(recordFrom).toISOString(),
})

/** How the audit trail names an alarm. */
export const target = ({ id, name }: AlarmRow) => ({ kind: 'alarm', id, name })

export function auditSnapshot(ctx: Pick<Context, 'clock' | 'can'>, row: AlarmRow) {
  const { id, faults, openTriggers, lastTriggeredAt, createdAt, updatedAt, version, ...alarm } = presentAlarm(ctx, row)
  const { privateDevices, privateDeviceCount, ...kept } = alarm
  const bare = ({ hearsPrivate, onCall, ...recipient }: Recipient) => recipient
  const vouchedFor = [...alarm.recipients, ...alarm.escalation].flatMap(({ userId, address, hearsPrivate }) =>
    userId === null && address && hearsPrivate ? [address] : [],
  )
  return {
    ...kept,
    recipients: kept.recipients.map(bare),
    escalation: kept.escalation.map(bare),
    vouchedFor: [...new Set(vouchedFor)].sort(),
  }
}
