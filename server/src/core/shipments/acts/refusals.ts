import { writeTime } from '@isotherm/contract/times.ts'
import { type ShipmentMove, shipmentAfter } from '../../../domain/shipment-lifecycle.ts'
import { showShipmentNumber } from '../../../domain/shipment-number.ts'
import { AppError, invalidField } from '../../../platform/errors/app-error.ts'
import { endOf } from '../ends.ts'
import type { LegRow, ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import { busyContainer, type CarriedDevice, lockCarried, lockContainers } from './act-queries.ts'

const aheadMs = 5 * 60_000

/** The instant of an act: a clock that is a little ahead means now. Throws VALIDATION for a later one. */
export function instantOf({ clock }: Pick<ShipmentActContext, 'clock'>, at: Date | undefined): Date {
  const now = clock.now()
  if (at === undefined) return now
  if (at.getTime() > now.getTime() + aheadMs) throw invalidField('at', 'rule.inFuture')
  return at < now ? at : now
}

/** Throws SHIPMENT_STARTED, SHIPMENT_NOT_STARTED or SHIPMENT_OVER where a locked shipment cannot make a move. */
export function refuseMove(ctx: ShipmentActContext, shipment: ShipmentRow, move: ShipmentMove): void {
  const state = shipment.state as 'pending' | 'ongoing' | 'completed' | 'cancelled'
  if (shipmentAfter(move, state) !== null) return
  if (state === 'pending') throw new AppError('SHIPMENT_NOT_STARTED')
  const isOver = state !== 'ongoing'
  const at = (isOver ? (shipment.ended_at ?? shipment.cancelled_at) : shipment.started_at) ?? shipment.updated_at
  const time = writeTime(ctx.locale, endOf(shipment.origin).timezone, at)
  throw new AppError(isOver ? 'SHIPMENT_OVER' : 'SHIPMENT_STARTED', { time })
}

/** Throws SHIPMENT_OVER where nothing of a shipment changes any more. */
export function refuseOver(ctx: ShipmentActContext, shipment: ShipmentRow): void {
  if (shipment.state === 'completed' || shipment.state === 'cancelled') refuseMove(ctx, shipment, 'cancel')
}

/**
 * The devices of a shipment that is under way, or about to be, locked by id: each is on no other shipment under way. One may be on an order
 * at the same time: the lorry to the port is an order of its own. Throws DEVICE_DECOMMISSIONED, DEVICE_ON_SHIPMENT or
 * DEVICE_ON_SHIPMENT_UNSEEN.
 */
export async function freeDevices(
  ctx: ShipmentActContext,
  shipmentId: string,
  ids: readonly number[],
): Promise<CarriedDevice[]> {
  const devices = await lockCarried(ctx, shipmentId, ids)
  if (devices.some(({ isGone }) => isGone)) throw new AppError('DEVICE_DECOMMISSIONED')
  const busy = devices.find(({ busyWith }) => busyWith !== null)
  if (busy?.isPrivate && !ctx.seesPrivate) throw new AppError('DEVICE_ON_SHIPMENT_UNSEEN')
  if (busy?.busyWith)
    throw new AppError('DEVICE_ON_SHIPMENT', { device: busy.name, number: showShipmentNumber(busy.busyWith) })
  return devices
}

/** Refuses a container that is under way with another shipment. Throws CONTAINER_BUSY. */
export async function refuseBusyContainers(
  ctx: ShipmentActContext,
  shipmentId: string,
  legs: readonly Pick<LegRow, 'container_no' | 'ata' | 'rolled_at'>[],
): Promise<void> {
  const containers = legs.flatMap(({ container_no, ata, rolled_at }) =>
    container_no !== null && ata === null && rolled_at === null ? [container_no] : [],
  )
  if (containers.length === 0) return
  await lockContainers(ctx)
  const busy = await busyContainer(ctx, shipmentId, containers)
  if (busy) throw new AppError('CONTAINER_BUSY', { container: busy.container, number: showShipmentNumber(busy.number) })
}
