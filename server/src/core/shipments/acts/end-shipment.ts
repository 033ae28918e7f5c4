import { invalidField } from '../../../platform/errors/app-error.ts'
import { closeRecord } from '../../records/record-queries.ts'
import { endOf } from '../ends.ts'
import { legsOf, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { moveShipment, runShipmentDevices } from './act-queries.ts'
import { forgetFlights } from './fly-devices.ts'
import { noteShipmentEvent, shipmentTarget } from './note-event.ts'
import { instantOf, refuseMove } from './refusals.ts'

interface Ending {
  at?: Date | undefined
  reason?: string | null | undefined
}

/** Completes a locked shipment; its record ends with it, and its devices are free. Throws SHIPMENT_NOT_STARTED, SHIPMENT_OVER or VALIDATION. */
export async function completeShipment(ctx: ShipmentActContext, shipment: ShipmentRow, { at: given }: Ending) {
  refuseMove(ctx, shipment, 'complete')
  const at = instantOf(ctx, given)
  if (shipment.started_at && at < shipment.started_at) throw invalidField('at', 'rule.beforeStart')
  const completed = await free(ctx, shipment, 'complete', { ended_at: at }, at)
  await noteShipmentEvent(ctx, completed, { kind: 'completed', at, zone: endOf(shipment.destination).timezone })
  ctx.audit({ action: 'shipments.completed', target: shipmentTarget(shipment), after: { at: at.toISOString() } })
  return completed
}

/** Cancels a locked shipment; under way with a reason. Throws SHIPMENT_OVER or VALIDATION. */
export async function cancelShipment(ctx: ShipmentActContext, shipment: ShipmentRow, { at: given, reason }: Ending) {
  refuseMove(ctx, shipment, 'cancel')
  if (shipment.state === 'ongoing' && !reason) throw invalidField('reason', 'required')
  const at = instantOf(ctx, given)
  if (shipment.started_at && at < shipment.started_at) throw invalidField('at', 'rule.beforeStart')
  const changed = { cancelled_at: at, cancel_reason: reason || null }
  const cancelled = await free(ctx, shipment, 'cancel', changed, at)
  await noteShipmentEvent(ctx, cancelled, {
    ...{ kind: 'cancelled', at, detail: { reason: reason || null, wasUnderWay: shipment.state === 'ongoing' } },
  })
  ctx.audit({
    action: 'shipments.cancelled',
    target: shipmentTarget(shipment),
    before: { state: shipment.state },
    after: { at: at.toISOString() },
    ...(reason ? { reason } : {}),
  })
  return cancelled
}

async function free(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  move: 'complete' | 'cancel',
  changed: Parameters<typeof moveShipment>[4],
  at: Date,
): Promise<ShipmentRow> {
  const moved = await moveShipment(ctx, shipment.id, move, ctx.clock.now(), changed)
  if (!moved) throw new Error(`shipment ${shipment.id} was locked, and ended all the same`)
  await runShipmentDevices(ctx, shipment.id, false)
  if (shipment.state === 'ongoing' && (await legsOf(ctx, [shipment.id])).some(({ mode }) => mode === 'air'))
    await forgetFlights(ctx, shipment.id)
  if (shipment.record_id !== null) await closeRecord(ctx, shipment.record_id, at)
  return moved
}
