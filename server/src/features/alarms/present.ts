import { Channel, type Recipient } from '@isotherm/contract/alarm-recipients.ts'
import { AlarmRule, AlarmSchedule, Severity } from '@isotherm/contract/alarm-rules.ts'
import { Alarm } from '@isotherm/contract/alarms.ts'
import type { AlarmRow, RecipientRow } from './queries.ts'

export function presentAlarm(row: AlarmRow, now: Date): Alarm {
  const recipients = (tier: number) => row.recipients.filter((each) => each.tier === tier).map(presentRecipient)
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
    recipients: recipients(1),
    escalation: recipients(2),
    escalateMinutes: row.escalate_minutes,
    reminderMinutes: row.reminder_minutes,
    notifyNormal: row.notify_normal,
    snoozedUntil: row.snoozed_until && row.snoozed_until > now ? row.snoozed_until.toISOString() : null,
    faults: Alarm.shape.faults.parse(row.faults),
    openTriggers: row.open_triggers,
    lastTriggeredAt: row.last_triggered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** A person without a phone number cannot be reached by SMS or chat. */
function presentRecipient({ user_id, address, channels, name, phone }: RecipientRow): Recipient {
  const parsed = channels.map((channel) => Channel.parse(channel))
  const needsPhone = (channel: Channel) => channel === 'sms' || channel === 'chat'
  return {
    userId: user_id,
    name,
    address,
    channels: parsed,
    unreachable: user_id !== null && !phone ? parsed.filter(needsPhone) : [],
  }
}

/** What the audit trail keeps of an alarm. */
export function keptOf({ id, faults, openTriggers, lastTriggeredAt, createdAt, updatedAt, ...kept }: Alarm) {
  return kept
}
