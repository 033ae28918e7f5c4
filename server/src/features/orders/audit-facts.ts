import type { OrderRow } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { OrderDraft } from './draft-order.ts'

export const targetOf = (order: Pick<OrderRow, 'id' | 'tracking_code'>) => ({
  ...{ kind: 'order', id: order.id, name: showTrackingCode(order.tracking_code) },
})

/** The facts of an order that its trail keeps. */
export const auditSnapshot = (order: OrderRow, { input, checked }: OrderDraft) => ({
  reference: order.reference,
  sender: input.sender.name,
  receivers: input.receivers.map(({ name }) => name),
  deliverBy: checked.deliverBy,
  driverId: order.driver_id,
  vehicleId: order.vehicle_id,
  deviceIds: input.devices.map(({ id }) => id),
  total: checked.price?.total ?? null,
  currency: checked.price?.currency ?? null,
})
