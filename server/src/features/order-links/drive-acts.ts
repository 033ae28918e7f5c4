import type { DriverAct } from '@isotherm/contract/order-links.ts'
import type { ActContext } from '../../core/orders/acts/act-context.ts'
import { endOrder } from '../../core/orders/acts/end-order.ts'
import { startOrder } from '../../core/orders/acts/start-order.ts'
import { arriveAt, departFrom } from '../../core/orders/acts/visit-stop.ts'
import type { EventAuthor } from '../../core/orders/events.ts'
import { byOrderLink, findLink } from '../../core/orders/link-context.ts'
import type { FoundLink } from '../../core/orders/link-queries.ts'
import { type OrderRow, type ReceiverRow, receiversOf } from '../../core/orders/order-queries.ts'
import type { Context, PublicContext, TenantTx } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { driverName } from './queries.ts'

/** The author of what a driver does by their link. */
export const driverOf = async (ctx: TenantTx, { driverId }: FoundLink) => ({
  ...{ source: 'driverLink' as const, name: await driverName(ctx, driverId ?? '') },
})

export const actorOf = (ctx: Context, by: EventAuthor): ActContext => ({ ...ctx, by, seesPrivate: false })

/** A stop of an order by its place in the sequence; throws NOT_FOUND. */
export const stopAt = async (ctx: TenantTx, order: OrderRow, stop: number | null): Promise<ReceiverRow> =>
  orNotFound((await receiversOf(ctx, [order.id])).find(({ sequence }) => sequence === stop))

/** Does what a driver did, possibly hours ago. Throws LINK_INVALID, and whatever the act throws. */
export async function driveAct(ctx: PublicContext, { token, kind, stop, at, requestId, position }: DriverAct) {
  const found = await findLink(ctx, 'driver', token)
  await byOrderLink(ctx, found, { isWriting: true, token }, async (viewer, order) => {
    const actor = actorOf(viewer, await driverOf(viewer, found))
    const act = { at: new Date(at), requestId, position }
    if (kind === 'start') await startOrder(actor, order, act)
    else if (kind === 'end') await endOrder(actor, order, act)
    else {
      const { id } = await stopAt(viewer, order, stop)
      await (kind === 'arrive' ? arriveAt : departFrom)(actor, order, id, act)
    }
  })
}
