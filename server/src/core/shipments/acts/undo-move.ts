import type { KeptReason } from '@isotherm/contract/shipments.ts'
import { type ReturnFrom, returnBy, shipmentReturns } from '../../../domain/shipment-lifecycle.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { closeRecord, isSigned, reopenRecord } from '../../records/record-queries.ts'
import { devicesOn, legsOf, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { forgetJoining, returnShipment, runShipmentDevices } from './act-queries.ts'
import { endFlights, planFlights } from './fly-devices.ts'
import { lockDevicesOf } from './locked-devices.ts'
import { noteShipmentEvent, shipmentTarget } from './note-event.ts'
import { freeDevices, refuseBusyContainers } from './refusals.ts'
import { toldEvents } from './told-events.ts'

/** The move of a shipment that ends with the milestone that made it: the event of the move, and the state that the shipment leaves again. */
export interface UndoneMove {
  eventId: string
  from: ReturnFrom
}

/**
 * The move that a milestone of a locked shipment made, to be undone as the milestone is withdrawn; or why the shipment keeps its state. Null:
 * the milestone made none. To be asked before the withdrawal is noted.
 */
export async function moveToUndo(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  milestoneId: string,
): Promise<UndoneMove | { kept: KeptReason } | null> {
  const found = returnBy(shipment.state as ReturnFrom, await toldEvents(ctx, shipment.id), milestoneId)
  if (found === null || 'kept' in found) return found
  const from = shipment.state as ReturnFrom
  // Devices are locked before the record.
  await lockDevicesOf(ctx, shipment.id)
  const kept = from === 'completed' ? await takenMeanwhile(ctx, shipment) : null
  if (kept) return { kept }
  if (shipment.record_id !== null && (await isSigned(ctx, shipment.record_id))) return { kept: 'signed' }
  return { eventId: found.undone.id, from }
}

/** A shipment that is over gave its devices and containers free: others may have them. */
async function takenMeanwhile(ctx: ShipmentActContext, shipment: ShipmentRow): Promise<KeptReason | null> {
  const ids = (await devicesOn(ctx, shipment.id)).map(({ device_id }) => device_id)
  const isRefused = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (refusal: unknown) => refusal,
    )
    if (error !== null && !(error instanceof AppError)) throw error
    return error !== null
  }
  if (await isRefused(freeDevices(ctx, shipment.id, ids))) return 'devices'
  return (await isRefused(refuseBusyContainers(ctx, shipment.id, await legsOf(ctx, [shipment.id]))))
    ? 'container'
    : null
}

/** Undoes a move of a locked shipment, once its milestone is withdrawn and its leg is as before. */
export async function undoMove(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  { eventId, from }: UndoneMove,
): Promise<ShipmentRow> {
  const now = ctx.clock.now()
  const changed = from === 'completed' ? { ended_at: null } : { started_at: null, record_id: null, fences_seen_at: now }
  const moved = await returnShipment(ctx, shipment.id, from, now, changed)
  if (!moved) throw new Error(`shipment ${shipment.id} was locked, and moved all the same`)
  await runShipmentDevices(ctx, shipment.id, from === 'completed')
  if (from === 'completed') {
    if (shipment.record_id !== null) await reopenRecord(ctx, shipment.record_id)
    await planFlights(ctx, moved, await legsOf(ctx, [shipment.id]), await lockDevicesOf(ctx, shipment.id))
  } else {
    await endFlights(ctx, shipment.id)
    await forgetJoining(ctx, shipment.id)
    // Its readings are kept; a start that follows opens a record of its own.
    if (shipment.record_id !== null) await closeRecord(ctx, shipment.record_id, now)
  }
  const { event: kind, to } = shipmentReturns[from]
  await noteShipmentEvent(ctx, moved, { kind, corrects: eventId })
  ctx.audit({
    ...{ action: `shipments.${kind}`, target: shipmentTarget(shipment) },
    ...{ before: { state: from }, after: { state: to } },
  })
  return moved
}
