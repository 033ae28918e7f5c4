import { minorDigits } from '@isotherm/contract/money.ts'
import type { OrderSelection } from '@isotherm/contract/order-calls.ts'
import type { Order } from '@isotherm/contract/orders.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { goodsOf } from './list-queries.ts'
import { listOrders } from './read-orders.ts'

/** So many are read at once. */
const batch = 500

const columns = [
  ...[
    'tracking_code',
    'reference',
    'state',
    'snoozed',
    'late',
    'sender',
    'pickup',
    'receivers',
    'served',
    'first_receiver',
  ],
  ...['last_receiver', 'deliver_by_utc', 'timezone', 'driver', 'vehicle', 'plate', 'devices', 'verdict', 'insurance'],
  ...['total', 'currency', 'created_utc', 'started_utc', 'ended_utc', 'cancelled_utc'],
  ...['quantity', 'quantity_delivered'],
]

/** orders.csv: a line per order that the selection leaves. */
export async function ordersCsv(ctx: Context, selection: OrderSelection) {
  const lines: unknown[][] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await listOrders(ctx, { ...selection, page, perPage: batch })
    const goods = new Map(
      (
        await goodsOf(
          ctx,
          data.map(({ id }) => id),
        )
      ).map((sum) => [sum.order_id, sum]),
    )
    lines.push(
      ...data.map((order) => [...lineOf(order), goods.get(order.id)?.quantity, goods.get(order.id)?.delivered]),
    )
    pages = meta.pageCount
  }
  ctx.audit({ action: 'orders.exported', after: { count: lines.length } })
  return listCsv('orders.csv', columns, lines)
}

const lineOf = ({ receivers, ...order }: Order) => [
  ...[order.trackingCode, order.reference, order.state, order.isSnoozed, order.isLate, order.senderName],
  ...[order.pickupAddress, receivers.total, receivers.settled, receivers.first, receivers.last, order.deliverBy],
  ...[order.timezone, order.driver?.name, order.vehicle?.name, order.vehicle?.plate, order.deviceCount, order.verdict],
  ...[
    order.insurance,
    majorOf(order),
    order.currency,
    order.createdAt,
    order.startedAt,
    order.endedAt,
    order.cancelledAt,
  ],
]

const majorOf = ({ total, currency }: Pick<Order, 'total' | 'currency'>) =>
  total === null || currency === null ? null : total / 10 ** minorDigits(currency)
