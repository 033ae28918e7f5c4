import type { LiveShipment } from '@isotherm/contract/live.ts'
import type { Context } from '../../platform/context.ts'

/** Tells the company's browsers, once the transaction has committed, that a shipment is to be fetched again. */
export function announceShipment(ctx: Pick<Context, 'companyId' | 'afterCommit' | 'services'>, id: string): void {
  const data: LiveShipment = { id }
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'shipment', data }))
}
