import { type NewVehicle, plateKey, type VehicleChange } from '@isotherm/contract/vehicles.ts'
import { closePair } from '../../core/drivers/pair-queries.ts'
import { refuseRunning } from '../../core/orders/running-orders.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { freeTracker, refuseTaken } from './policy.ts'
import { auditSnapshot, target } from './present.ts'
import { findVehicle, insertVehicle, lockPlates, lockVehicle, updateVehicle, type VehicleRow } from './queries.ts'

/** Adds a vehicle. Throws QUOTA_EXCEEDED, PLATE_TAKEN, or VALIDATION where the tracker is not there or in another vehicle. */
export async function addVehicle(ctx: Context, input: NewVehicle): Promise<VehicleRow> {
  await refuseOverQuota(ctx, 'vehicles')
  const row = await findVehicle(ctx, await insertNew(ctx, input))
  ctx.audit({ action: 'vehicles.added', target: target(row), after: auditSnapshot(row) })
  return row
}

/** The same without an entry in the trail, for files. */
export async function insertNew(ctx: Context, { name, plate, type, ...input }: NewVehicle): Promise<string> {
  await lockPlates(ctx)
  await refuseTaken(ctx, plate, null)
  return insertVehicle(ctx, {
    ...{ name, plate, type, plate_key: plateKey(plate) },
    device_id: await freeTracker(ctx, input.deviceId ?? null, null),
    out_of_service_at: input.isOutOfService ? ctx.clock.now() : null,
  })
}

/**
 * Changes a vehicle, or takes it out of service: its orders in progress go on. A tracker that the person may not see stays, unless they
 * name another one. Throws NOT_FOUND, CHANGED_MEANWHILE, PLATE_TAKEN or VALIDATION.
 */
export async function changeVehicle(
  ctx: Context,
  id: string,
  { version, ...input }: VehicleChange,
): Promise<VehicleRow> {
  await lockPlates(ctx)
  const before = await lockVehicle(ctx, id)
  refuseOutdated(before, version)
  const { name, type, plate, deviceId, isOutOfService } = input
  if (plate !== undefined) await refuseTaken(ctx, plate, id)
  const isHidden = before.device_id !== null && before.device_name === null
  await updateVehicle(ctx, id, {
    ...{ name, type },
    ...(plate !== undefined && { plate, plate_key: plateKey(plate) }),
    ...(deviceId !== undefined &&
      !(deviceId === null && isHidden) && { device_id: await freeTracker(ctx, deviceId, id) }),
    ...(isOutOfService !== undefined && {
      out_of_service_at: isOutOfService ? (before.out_of_service_at ?? ctx.clock.now()) : null,
    }),
  })
  const after = await findVehicle(ctx, id)
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ action: 'vehicles.changed', target: target(after), ...changes })
  return after
}

/** Deletes a vehicle: archived, so that what it drove keeps its plate; its driver is free again. Throws NOT_FOUND or IN_USE. */
export async function removeVehicle(ctx: Context, id: string): Promise<void> {
  const row = await lockVehicle(ctx, id)
  await refuseRunning(ctx, 'vehicle_id', row)
  await closePair(ctx, { vehicleId: id })
  await updateVehicle(ctx, id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'vehicles.removed', target: target(row), before: auditSnapshot(row) })
}
