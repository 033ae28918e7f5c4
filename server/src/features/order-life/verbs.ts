import { type ActContext, actContext } from '../../core/orders/acts/act-context.ts'
import { lockOrder, type OrderRow } from '../../core/orders/order-queries.ts'
import { orderDetails } from '../../core/orders/present-order.ts'
import { readTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** Instants of a body, as acts take them. */
export const actOf = <A extends { at?: string | undefined }>({ at, ...act }: A) => ({
  ...act,
  at: at === undefined ? undefined : new Date(at),
})

/** Does an act of an order, which is locked first, and answers with the order as it is then. Throws NOT_FOUND. */
export async function actOn(ctx: Context, id: string, act: (ctx: ActContext, order: OrderRow) => Promise<unknown>) {
  await act(actContext(ctx), await lockOrder(ctx, id))
  return orderDetails(ctx, id)
}

/** The same for who knows its tracking code, in any spelling. Throws ORDER_CODE_WRONG, and TOO_MANY_REQUESTS after a few of those. */
export const actByCode = (
  ctx: Context,
  { id, trackingCode }: { id: string; trackingCode: string },
  act: (ctx: ActContext, order: OrderRow) => Promise<unknown>,
) =>
  actOn(ctx, id, (acting, order) => {
    const failures = ctx.services.orderCodeFailures
    failures.refuseExceeded(ctx, id)
    if (readTrackingCode(trackingCode) !== order.tracking_code) {
      failures.count(ctx, id)
      throw new AppError('ORDER_CODE_WRONG')
    }
    return act(acting, order)
  })
