import { MilestoneKind } from '@isotherm/contract/shipments.ts'
import type { Context } from '../../../platform/context.ts'
import { AppError, invalidField } from '../../../platform/errors/app-error.ts'
import { presentEvents } from '../present-shipment.ts'
import { eventsOf, legsOf, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { updateLeg, updateShipment } from './act-queries.ts'
import { flyNow, planFlights } from './fly-devices.ts'
import { lockDevicesOf } from './locked-devices.ts'
import { noteShipmentEvent, shipmentTarget } from './note-event.ts'
import { refuseBusyContainers, refuseMove } from './refusals.ts'
import { moveToUndo, undoMove } from './undo-move.ts'

/** The milestone that a person withdraws, and why. */
export interface Withdrawal {
  milestoneId: string
  reason: string
}

/**
 * Withdraws a milestone of a locked shipment that never happened. It stays among the events, and its leg is as if it had not been noted. The
 * shipment goes back to the state before it where nothing else stands on the new one; else the event tells why it does not. Throws VALIDATION, MILESTONE_REPLACED, SHIPMENT_OVER where it is cancelled, or CONTAINER_BUSY.
 */
export async function withdrawMilestone(
  ctx: Context & ShipmentActContext,
  shipment: ShipmentRow,
  { milestoneId, reason }: Withdrawal,
): Promise<ShipmentRow> {
  if (shipment.state === 'cancelled') refuseMove(ctx, shipment, 'cancel')
  const event = (await presentEvents(ctx, await eventsOf(ctx, shipment.id))).find(({ id }) => id === milestoneId)
  const kind = MilestoneKind.safeParse(event?.kind).data
  if (!event || !kind) throw invalidField('milestoneId', 'rule.unknownItem')
  if (event.isCorrected) throw new AppError('MILESTONE_REPLACED')
  const undone = await moveToUndo(ctx, shipment, event.id)
  const kept = undone && 'kept' in undone ? undone.kept : null
  await noteShipmentEvent(ctx, shipment, {
    ...{ kind: 'milestoneWithdrawn', legId: event.legId, corrects: event.id, zone: event.timezone },
    detail: { milestone: kind, reason, ...(kept && { kept }) },
  })
  ctx.audit({
    ...{ action: 'shipments.milestoneWithdrawn', target: shipmentTarget(shipment), reason },
    before: { milestone: kind, at: event.occurredAt },
  })
  if (event.legId !== null) await moveLegBack(ctx, shipment, kind, event.legId)
  if (undone && 'from' in undone) return undoMove(ctx, shipment, undone)
  return updateShipment(ctx, shipment.id, {}, ctx.clock.now())
}

/** Takes the actual time of a leg back, and what its flight did to the devices. */
async function moveLegBack(ctx: ShipmentActContext, shipment: ShipmentRow, kind: MilestoneKind, legId: string) {
  const before = (await legsOf(ctx, [shipment.id])).find(({ id }) => id === legId)
  if (!before) return
  if (kind === 'departed') {
    await updateLeg(ctx, legId, { atd: null })
    await planFlights(ctx, shipment, await legsOf(ctx, [shipment.id]), await lockDevicesOf(ctx, shipment.id))
  }
  if (kind === 'arrived') {
    const leg = await updateLeg(ctx, legId, { ata: null })
    if (shipment.state !== 'ongoing') return
    // Another shipment may have taken the container meanwhile.
    await refuseBusyContainers(ctx, shipment.id, [leg])
    if (leg.atd) await flyNow(ctx, shipment, leg, leg.atd)
  }
}
