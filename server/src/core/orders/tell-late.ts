import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { TenantTx } from '../../platform/context.ts'
import { noteEvents } from '../events/note-events.ts'
import type { LateRow } from './eta-queries.ts'
import { noteEvent } from './events.ts'
import { insertNotices } from './notice-queries.ts'
import { insertWarnings } from './warning-queries.ts'

interface LateOrders {
  /** The receivers who are late and of whom nothing was told within the hour, by order. */
  late: { orderId: string; receiverIds: string[] }[]
  /** Tells the browsers; after the commit. */
  announce(bus: Bus): void
}

/** Writes an event, news and, where they are late, a warning for each receiver who is late, or is expected in time again. In the tenant's transaction. */
export async function tellLate(
  ctx: TenantTx,
  { late, onTime }: { late: readonly LateRow[]; onTime: readonly LateRow[] },
  now: Date,
): Promise<LateOrders> {
  const rows = [
    ...late.map((row) => ({ row, kind: 'late' as const })),
    ...onTime.map((row) => ({ row, kind: 'onTime' as const })),
  ]
  if (rows.length === 0) return { late: [], announce: () => {} }
  for (const { row, kind } of rows)
    await noteEvent(ctx, row.order_id, {
      ...{ kind, at: now, zone: row.zone, by: { source: 'job', name: null }, receiverId: row.id },
      detail: { due: row.due.toISOString(), expected: row.expected.toISOString() },
    })
  const drafts = rows.map(({ row, kind }) => ({
    ...{ orderId: row.order_id, kind, receiverId: row.id },
    ...{ due: row.due.toISOString(), expected: row.expected.toISOString() },
  }))
  const isLate = new Set(late.map(({ id }) => id))
  await insertWarnings(
    ctx.tx,
    drafts.flatMap(({ kind, due, expected, ...draft }) =>
      kind === 'late' ? [{ ...draft, companyId: ctx.companyId, kind, deviceId: null, detail: { due, expected } }] : [],
    ),
    now,
  )
  await noteEvents(
    ctx.tx,
    late.map(({ order_id, id, tracking_code, name, due, expected }) => ({
      ...{ companyId: ctx.companyId, type: 'order.late', key: `${id}:${now.getTime()}`, at: now },
      data: {
        ...{ orderId: order_id, code: showTrackingCode(tracking_code), receiverId: id, receiver: name },
        ...{ due: due.toISOString(), expected: expected.toISOString() },
      },
    })),
  )
  const first = (await insertNotices(ctx, drafts, now)).filter(({ receiver_id }) => isLate.has(receiver_id))
  const orderIds = new Set(rows.map(({ row }) => row.order_id))
  return {
    late: [...Map.groupBy(first, ({ order_id }) => order_id)].map(([orderId, ofOrder]) => ({
      orderId,
      receiverIds: ofOrder.map(({ receiver_id }) => receiver_id),
    })),
    announce(bus) {
      for (const id of orderIds) bus.publish({ companyId: ctx.companyId, kind: 'order', data: { id } })
    },
  }
}
