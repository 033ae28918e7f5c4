import type { DispatchWarning } from '@isotherm/contract/order-warnings.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { mayAcknowledge } from './policy.ts'
import type { WarningRow } from './queries.ts'

export const presentWarning = (ctx: Pick<Context, 'can'>, row: WarningRow): DispatchWarning => ({
  ...{ id: row.id, orderId: row.order_id, trackingCode: showTrackingCode(row.tracking_code), kind: row.kind },
  state: !row.lasts ? 'over' : row.acknowledged_at ? 'acknowledged' : 'open',
  receiver: row.receiver_id === null ? null : { id: row.receiver_id, name: row.receiver ?? '' },
  device: row.device_id === null ? null : { id: String(row.device_id), name: row.device ?? '' },
  ...{ due: row.detail.due ?? null, expected: row.detail.expected ?? null, timezone: row.zone },
  measure: row.device_id === null ? null : row.detail.measure === 'humidity' ? 'humidity' : 'temperature',
  side: row.device_id === null ? null : row.detail.side === 'below' ? 'below' : 'above',
  ...{ beganAt: row.began_at.toISOString(), overAt: row.over_at?.toISOString() ?? null },
  ...{
    escalatedAt: row.escalated_at?.toISOString() ?? null,
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
    acknowledgedBy: row.acknowledged_by,
    note: row.note,
  },
  canAcknowledge: row.lasts && row.acknowledged_at === null && mayAcknowledge(ctx, row),
})
