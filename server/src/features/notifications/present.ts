import {
  type Notification,
  NotificationKind,
  type NotificationSettings,
  orderKinds,
} from '@isotherm/contract/notifications.ts'
import type { Selectable } from 'kysely'
import { type Alert, alertTexts } from '../../core/alerts/alert-texts.ts'
import { isOfOrder, type Notice, noticeTexts, type TreatmentNotice } from '../../core/alerts/notice-texts.ts'
import { type BillingNotice, billingTexts } from '../../core/billing/billing-texts.ts'
import type { Context } from '../../platform/context.ts'
import type { NotificationSettings as SettingsTable } from '../../platform/db/schema.ts'
import type { NotificationRow } from './queries.ts'

const noticeKinds = new Set<string>([
  'wallet',
  'deliveryFailed',
  'support',
  ...orderKinds,
  'calibrationDue',
  'coldTreatment',
  'webhook',
])

function textsOf(locale: Context['locale'], timezone: string, { kind, params }: NotificationRow) {
  if (kind === 'billing') {
    const { subject, line } = billingTexts(locale, timezone, params as BillingNotice)
    return { subject, placed: line }
  }
  if (noticeKinds.has(kind)) return noticeTexts(locale, params as Notice)
  return alertTexts(locale, timezone, [params as Alert])
}

function orderIdOf({ kind, params }: NotificationRow): string | null {
  const notice = noticeKinds.has(kind) ? (params as Notice) : null
  return notice && isOfOrder(notice) ? notice.orderId : null
}

/** A line in the reader's language, its times in their zone. */
export function presentNotification({ locale }: Context, timezone: string, row: NotificationRow): Notification {
  const { subject, placed } = textsOf(locale, timezone, row)
  return {
    id: row.id,
    kind: NotificationKind.parse(row.kind),
    severity: row.severity,
    title: subject,
    text: placed,
    deviceId: row.device_id === null ? null : String(row.device_id),
    deviceName: row.device_name,
    alarmId: row.alarm_id,
    triggerId: row.trigger_id,
    shipmentId: row.kind === 'coldTreatment' ? (row.params as TreatmentNotice).shipmentId : null,
    orderId: orderIdOf(row),
    at: row.at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }
}

/** The settings of a person; those of the beginning where they never changed them. */
export function presentSettings(row: Selectable<SettingsTable> | undefined): NotificationSettings {
  const quiet = row?.quiet_from && row.quiet_to ? { from: row.quiet_from, to: row.quiet_to } : null
  return { quiet, sound: row?.sound ?? false, crossingMails: row?.place_mail ?? false, push: row?.push ?? false }
}
