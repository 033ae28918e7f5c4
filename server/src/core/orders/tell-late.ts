import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { OrderLateNotice } from '../alerts/notice-texts.ts'
import { announce, writeLines } from '../alerts/notification-lines.ts'
import { dispatchers, type LateRow } from './eta-queries.ts'
import { noteEvent } from './events.ts'

interface LateOrders {
  /** The receivers who are late, by order. */
  late: { orderId: string; receiverIds: string[] }[]
  /** Tells the browsers; after the commit. */
  announce(bus: Bus): void
}

/** Writes an event per receiver who is late, and a notification per order for everybody who may view dispatch. In the tenant's transaction. */
export async function tellLate(
  ctx: TenantTx & { client: Client },
  rows: readonly LateRow[],
  now: Date,
): Promise<LateOrders> {
  const { companyId, client } = ctx
  if (rows.length === 0) return { late: [], announce: () => {} }
  for (const row of rows)
    await noteEvent(ctx, row.order_id, {
      ...{ kind: 'late', at: now, zone: row.zone, by: { source: 'job', name: null }, receiverId: row.id },
      detail: { due: row.due.toISOString(), expected: row.expected.toISOString() },
    })
  const byOrder = [...Map.groupBy(rows, ({ order_id }) => order_id)]
  const people = await dispatchers(ctx)
  const lines = byOrder.flatMap(([orderId, ofOrder]) => {
    const params = noticeOf(orderId, ofOrder)
    return people.map(({ id }) => ({
      ...{ company_id: companyId, user_id: id, kind: 'orderLate', severity: 'warning' as const },
      ...{ device_id: null, alarm_id: null, trigger_id: null, params, at: now },
    }))
  })
  const news = await writeLines(client, lines)
  return {
    late: byOrder.map(([orderId, ofOrder]) => ({ orderId, receiverIds: ofOrder.map(({ id }) => id) })),
    announce(bus) {
      announce(bus, news)
      for (const [id] of byOrder) bus.publish({ companyId, kind: 'order', data: { id } })
    },
  }
}

/** The notice of an order, about the receiver who waits longest. */
function noticeOf(orderId: string, rows: readonly LateRow[]): OrderLateNotice {
  const [first] = rows.toSorted((a, b) => a.due.getTime() - b.due.getTime())
  if (!first) throw new Error(`nobody of order ${orderId} is late`)
  return {
    ...{ lateOrder: showTrackingCode(first.tracking_code), orderId, receiver: first.name, more: rows.length - 1 },
    ...{ expected: first.expected.toISOString(), due: first.due.toISOString(), zone: first.zone },
  }
}
