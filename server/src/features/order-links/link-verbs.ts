import type { OrderLink } from '@isotherm/contract/order-links.ts'
import { actContext } from '../../core/orders/acts/act-context.ts'
import { announceOrder } from '../../core/orders/announce-order.ts'
import type { LinkOf } from '../../core/orders/link-queries.ts'
import { revokeLink, rotateLink, type ShownLink, showLink } from '../../core/orders/links.ts'
import { findOrder, findReceiver, lockOrder, type OrderRow } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'

const present = ({ row, url, endsAt }: ShownLink): OrderLink => ({
  kind: row.kind as OrderLink['kind'],
  url,
  createdAt: row.created_at.toISOString(),
  expiresAt: endsAt.toISOString(),
  lastReadAt: row.last_read_at?.toISOString() ?? null,
})

/** How the audit trail names an order. */
export const target = ({ id, tracking_code }: OrderRow) => ({
  ...{ kind: 'order', id, name: showTrackingCode(tracking_code) },
})

/** The person whom a link is for: a receiver by id, or, without one, the driver. */
export type Whose = string | null

/** Throws NOT_FOUND for a receiver of another order, and DRIVER_NEEDED where the order has no driver. */
async function linkFor(
  ctx: Context,
  order: OrderRow,
  whose: Whose,
): Promise<{ of: LinkOf; name: string; isCancelled: boolean }> {
  if (whose !== null) {
    const { id, name, state } = await findReceiver(ctx, order.id, whose)
    return { of: { orderId: order.id, receiverId: id }, name, isCancelled: state === 'cancelled' }
  }
  if (order.driver_id === null) throw new AppError('DRIVER_NEEDED')
  return { of: { orderId: order.id, driverId: order.driver_id }, name: 'driver', isCancelled: false }
}

/** The link of a receiver or of the driver, with its address. Null where there is none. */
export async function readLink(ctx: Context, orderId: string, whose: Whose): Promise<OrderLink | null> {
  const order = await findOrder(ctx, orderId)
  if (whose === null && order.driver_id === null) return null
  const found = await showLink(ctx, (await linkFor(ctx, order, whose)).of)
  return found ? present(found) : null
}

/**
 * Makes a link, or gives it another token. Throws NOT_FOUND, DRIVER_NEEDED, and ORDER_LINK_OVER where its page would show nothing of use: of what was
 * cancelled, of a stop that has long been settled, and for the driver of an order that is over.
 */
export async function renewLink(ctx: Context, orderId: string, whose: Whose): Promise<OrderLink> {
  const order = await lockOrder(ctx, orderId)
  const { of, name, isCancelled } = await linkFor(ctx, order, whose)
  if (order.state === 'cancelled' || isCancelled || (whose === null && order.state === 'completed'))
    throw new AppError('ORDER_LINK_OVER')
  const shown = await rotateLink(actContext(ctx), order, of)
  if (shown.endsAt <= ctx.clock.now()) throw new AppError('ORDER_LINK_OVER')
  const after = { link: name, generation: shown.row.generation }
  ctx.audit({ action: 'orders.linkRotated', target: target(order), after })
  announceOrder(ctx, order.id)
  return present(shown)
}

/** Ends a link at once; where there is none, nothing changes. Throws NOT_FOUND. */
export async function endLink(ctx: Context, orderId: string, whose: Whose): Promise<void> {
  const order = await lockOrder(ctx, orderId)
  if (whose === null && order.driver_id === null) return
  const { of, name } = await linkFor(ctx, order, whose)
  if (!(await revokeLink(actContext(ctx), order, of))) return
  ctx.audit({ action: 'orders.linkRevoked', target: target(order), before: { link: name } })
  announceOrder(ctx, order.id)
}
