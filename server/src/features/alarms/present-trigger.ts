import { ConditionName, Cumulative, Severity } from '@isotherm/contract/alarm-rules.ts'
import { Receipt, type Trigger } from '@isotherm/contract/triggers.ts'
import { reasonText } from '../../core/alerts/notice-texts.ts'
import { shownWebhook } from '../../core/alerts/webhook-shown.ts'
import type { Context } from '../../platform/context.ts'
import { mayHandle } from './policy.ts'
import { namesOf, type ReceiptRow, type TriggerRow } from './trigger-queries.ts'

export function presentTrigger(
  ctx: Context,
  row: TriggerRow,
  nearestTownName: (lat: number, lon: number) => string | null,
): Trigger {
  const names = namesOf(row)
  const position = row.position as unknown as { lat: number; lon: number } | null
  const scale = row.condition === 'noData' ? 1 : 100
  const value = (stored: number | null) => (stored === null ? null : stored / scale)
  return {
    id: row.id,
    alarmId: row.alarm_id,
    alarmName: names.alarm,
    deviceId: String(row.device_id),
    deviceName: names.device,
    condition: ConditionName.parse(row.condition.split(':')[0]),
    fence: names.fence ?? null,
    severity: Severity.parse(row.severity),
    state: row.state,
    breachAt: row.breach_at.toISOString(),
    openedAt: iso(row.opened_at),
    normalAt: iso(row.normal_at),
    recordedAt: iso(row.recorded_at),
    limit: value(row.limit_value),
    cumulative: Cumulative.nullable().parse(row.cumulative),
    value: value(row.value),
    peak: value(row.peak),
    peakAt: iso(row.peak_at),
    position: position && { ...position, placeName: nearestTownName(position.lat, position.lon) },
    isLate: row.late,
    amendedAt: iso(row.amended_at),
    withdrawnAt: iso(row.withdrawn_at),
    refiredAt: iso(row.refired_at),
    acknowledgedAt: iso(row.acknowledged_at),
    acknowledgedBy: row.acknowledged_by as unknown as Trigger['acknowledgedBy'],
    resolvedAt: iso(row.resolved_at),
    resolvedBy: row.resolved_by as unknown as Trigger['resolvedBy'],
    note: row.note,
    isShelved: row.shelved,
    escalatedAt: iso(row.escalated_at),
    told: row.receipts.map((receipt) => presentReceipt(ctx, receipt)),
    canAcknowledge: row.state === 'open' && mayHandle(ctx, row, 'acknowledge'),
    canHandle: row.state !== 'pending' && mayHandle(ctx, row, 'acknowledge'),
    assignee: row.assignee,
    assignedAt: row.assignee && iso(row.assigned_at),
    assignedBy: row.assignee && (row.assigned_by as unknown as Trigger['assignedBy']),
    comments: row.comments,
  }
}

const iso = (at: Date | null) => at?.toISOString() ?? null

/** A reason is a key of `alerts:reasons`, or what the provider said. */
const presentReceipt = (ctx: Context, { reason, at, ...receipt }: ReceiptRow): Receipt =>
  Receipt.parse({
    ...receipt,
    to: receipt.channel === 'webhook' ? shownWebhook(ctx, receipt.to) : receipt.to,
    at: new Date(at).toISOString(),
    reason: reason && reasonText(ctx.locale, reason),
  })
