import { randomBytes } from 'node:crypto'
import type { NewOrder } from '@isotherm/contract/new-order.ts'
import { actContext } from '../../core/orders/acts/act-context.ts'
import { announceOrder } from '../../core/orders/announce-order.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { insertCoded } from '../../core/orders/insert-order.ts'
import { requestInsurance } from '../../core/orders/insurance.ts'
import type { OrderRow } from '../../core/orders/order-queries.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { trackingCodeOf } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { auditSnapshot, targetOf } from './audit-facts.ts'
import { checkOrder } from './check-order.ts'
import { deviceDrafts, madeBy, orderColumns, receiverDrafts } from './order-rows.ts'

/** Makes an order. Throws QUOTA_EXCEEDED, and what `checkOrder` throws. */
export async function addOrder(
  ctx: Context,
  input: NewOrder,
  newCode = () => trackingCodeOf(randomBytes(5)),
): Promise<OrderRow> {
  const acting = actContext(ctx)
  await refuseOverQuota(ctx, 'openOrders')
  await refuseOverQuota(ctx, 'ordersPerDay')
  const draft = await checkOrder(ctx, input)
  const columns = { ...orderColumns(draft), ...madeBy(ctx) }
  const order = await insertCoded(ctx, newCode, columns, receiverDrafts(draft), deviceDrafts(draft))
  await noteEvent(ctx, order.id, {
    ...{ kind: 'created', at: ctx.clock.now(), zone: draft.pickup.timezone, by: acting.by },
    detail: { warnings: draft.checked.warnings.map(({ code }) => code) },
  })
  announceOrder(ctx, order.id)
  ctx.audit({ action: 'orders.added', target: targetOf(order), after: auditSnapshot(order, draft) })
  if (input.insurancePlanId !== null) await requestInsurance(acting, order, input.insurancePlanId, draft.worth)
  return order
}
