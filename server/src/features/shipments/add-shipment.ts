import type { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { shipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { noteShipmentEvent, shipmentTarget } from '../../core/shipments/acts/note-event.ts'
import { insertShipment } from '../../core/shipments/insert-queries.ts'
import type { ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import type { Context } from '../../platform/context.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { auditSnapshot } from './audit-facts.ts'
import { draftShipment } from './draft-shipment.ts'
import { factsOf } from './shipment-facts.ts'
import { orTaken } from './taken.ts'

/** Makes a shipment under the next number; one that is refused takes none. Throws QUOTA_EXCEEDED, or VALIDATION with every fault of its fields. */
export async function addShipment(ctx: Context, input: NewShipment): Promise<ShipmentRow> {
  await refuseOverQuota(ctx, 'openShipments')
  await refuseOverQuota(ctx, 'shipmentsPerDay')
  const faults = new Faults()
  const { shipment: draft, legs, devices } = draftShipment(await factsOf(ctx, input), input, faults)
  faults.throwIfAny()
  const shipment = await orTaken(insertShipment(ctx, draft, legs, devices))
  await noteShipmentEvent(shipmentActContext(ctx), shipment, { kind: 'created' })
  ctx.audit({ action: 'shipments.added', target: shipmentTarget(shipment), after: auditSnapshot(shipment, legs) })
  return shipment
}
