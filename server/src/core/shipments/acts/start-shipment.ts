import { showShipmentNumber } from '../../../domain/shipment-number.ts'
import { openRecord } from '../../records/order-record.ts'
import { devicesOn, legsOf, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { moveShipment, runShipmentDevices } from './act-queries.ts'
import { planFlights } from './fly-devices.ts'
import { noteShipmentEvent, shipmentTarget } from './note-event.ts'
import { freeDevices, instantOf, refuseBusyContainers, refuseMove } from './refusals.ts'

/**
 * Starts a locked shipment, and with it the record of its devices. Throws SHIPMENT_STARTED, SHIPMENT_OVER, CONTAINER_BUSY, VALIDATION, or
 * what `freeDevices` throws.
 */
export async function startShipment(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  { at: given }: { at?: Date | undefined },
): Promise<ShipmentRow> {
  refuseMove(ctx, shipment, 'start')
  const at = instantOf(ctx, given)
  const legs = await legsOf(ctx, [shipment.id])
  const ids = (await devicesOn(ctx, shipment.id)).map(({ device_id }) => device_id)
  const devices = await freeDevices(ctx, shipment.id, ids)
  await refuseBusyContainers(ctx, shipment.id, legs)
  const number = showShipmentNumber(shipment.number)
  const recordId =
    ids.length === 0
      ? null
      : await openRecord(ctx, {
          ...{ name: number, lot: shipment.lot, budget: shipment.budget, startAt: at, deviceIds: ids },
          by: { id: ctx.by.userId ?? null, name: ctx.by.name ?? shipment.created_by_name },
        })
  const started = await moveShipment(ctx, shipment.id, 'start', ctx.clock.now(), {
    ...{ started_at: at, record_id: recordId, fences_seen_at: at },
  })
  if (!started) throw new Error(`shipment ${shipment.id} was locked, and started all the same`)
  await runShipmentDevices(ctx, shipment.id, true)
  await planFlights(ctx, started, legs, devices)
  await noteShipmentEvent(ctx, started, { kind: 'started', at })
  ctx.audit({
    action: 'shipments.started',
    target: shipmentTarget(shipment),
    after: { at: at.toISOString(), devices: ids.length },
  })
  return started
}
