import type { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import { findCompany } from '../../core/company/company.ts'
import { shipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { noteShipmentEvent, shipmentTarget } from '../../core/shipments/acts/note-event.ts'
import { insertShipment } from '../../core/shipments/insert-queries.ts'
import type { ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import type { Context } from '../../platform/context.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { auditSnapshot } from './audit-facts.ts'
import { findEnd, findPartner } from './check-queries.ts'
import { draftDevices } from './draft-devices.ts'
import { goodsColumns } from './draft-goods.ts'
import { draftLegs } from './draft-legs.ts'
import { orTaken } from './taken.ts'

/** Makes a shipment under the next number; one that is refused takes none. Throws VALIDATION with every fault of its fields. */
export async function addShipment(ctx: Context, input: NewShipment): Promise<ShipmentRow> {
  const faults = new Faults()
  const goods = goodsColumns(input, { min_c: null, max_c: null }, faults)
  const origin = (await findEnd(ctx, 'origin', input.originId)) ?? null
  if (!origin) faults.add('originId', 'rule.unknownItem')
  const destination = (await findEnd(ctx, 'destination', input.destinationId)) ?? null
  if (!destination) faults.add('destinationId', 'rule.unknownItem')
  const partner = input.partnerId ? await findPartner(ctx, input.partnerId) : null
  if (partner === undefined) faults.add('partnerId', 'rule.unknownItem')
  const companyZone = (await findCompany(ctx.tx, ctx.companyId)).timezone
  const journey = { origin, destination, loadingOn: input.loadingOn ?? null, companyZone }
  const legs = await draftLegs(ctx, input.legs, journey, faults)
  for (const [index, { id }] of input.legs.entries()) if (id) faults.add(`legs.${index}.id`, 'rule.unknownItem')
  const devices = await draftDevices(ctx, input.devices ?? [], [], faults)
  faults.throwIfAny()
  const now = ctx.clock.now()
  const shipment = await orTaken(
    insertShipment(
      ctx,
      {
        ...goods,
        ...{ logistics: input.logistics, product: input.product },
        ...{ origin_id: input.originId, origin: JSON.stringify(origin) },
        ...{ destination_id: input.destinationId, destination: JSON.stringify(destination) },
        country: input.country ?? destination?.country ?? null,
        ...{ partner_id: input.partnerId ?? null, partner: partner ? JSON.stringify(partner) : null },
        ...{ created_at: now, updated_at: now, created_by: ctx.person.id, created_by_name: ctx.person.fullname },
      },
      legs,
      devices,
    ),
  )
  await noteShipmentEvent(shipmentActContext(ctx), shipment, { kind: 'created' })
  ctx.audit({ action: 'shipments.added', target: shipmentTarget(shipment), after: auditSnapshot(shipment, legs) })
  return shipment
}
