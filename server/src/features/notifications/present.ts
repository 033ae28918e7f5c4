import { type Notification, NotificationKind } from '@isotherm/contract/notifications.ts'
import type { Context } from '../../platform/http/context.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { type Alert, alertTexts } from '../../platform/messaging/alert-texts.ts'
import { type FailureNotice, noticeTexts } from '../../platform/messaging/notice-texts.ts'
import type { NotificationRow } from './queries.ts'

interface WalletNews {
  state: 'low' | 'empty'
  wallet: 'sms' | 'chat'
  remaining: number
}

function walletTexts(locale: Context['locale'], { state, wallet, remaining }: WalletNews) {
  const line = translate(locale, `notifications:wallet.${state}.${wallet}`, { count: remaining })
  return { subject: line, line }
}

function textsOf(locale: Context['locale'], timezone: string, { kind, params }: NotificationRow) {
  if (kind === 'wallet') return walletTexts(locale, params as WalletNews)
  if (kind === 'deliveryFailed') return noticeTexts(locale, params as FailureNotice)
  return alertTexts(locale, timezone, [params as Alert])
}

/** A line in the reader's language, its times in their zone. */
export function presentNotification({ locale }: Context, timezone: string, row: NotificationRow): Notification {
  const { subject, line } = textsOf(locale, timezone, row)
  return {
    id: row.id,
    kind: NotificationKind.parse(row.kind),
    severity: row.severity,
    title: subject,
    text: line,
    deviceId: row.device_id === null ? null : String(row.device_id),
    deviceName: row.device_name,
    alarmId: row.alarm_id,
    triggerId: row.trigger_id,
    at: row.at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }
}
