import { type ActContext, actContext } from '../../core/orders/acts/act-context.ts'
import { refuseWrongCode } from '../../core/orders/check-code.ts'
import { lockOrder, type OrderRow } from '../../core/orders/order-queries.ts'
import { orderDetails } from '../../core/orders/present-order.ts'
import type { Context } from '../../platform/context.ts'

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
    refuseWrongCode(ctx, order, trackingCode)
    return act(acting, order)
  })
