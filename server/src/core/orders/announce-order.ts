import type { LiveOrder } from '@isotherm/contract/live.ts'
import type { Context } from '../../platform/context.ts'

/** Tells the company's browsers, once the transaction has committed, that an order is to be fetched again. */
export function announceOrder(ctx: Pick<Context, 'companyId' | 'afterCommit' | 'services'>, orderId: string): void {
  const data: LiveOrder = { id: orderId }
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'order', data }))
}
