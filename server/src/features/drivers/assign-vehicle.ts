import { closePair, openPair, openPairs } from '../../core/drivers/pair-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { target } from './present.ts'
import { type DriverRow, findDriver, lockDriver, lockVehicle } from './queries.ts'

/**
 * Assigns a vehicle to a driver: with `change` in place of the one that the driver has. Driver and vehicle are locked, in this order, and
 * the database holds that each has one open pair. Throws NOT_FOUND, DRIVER_INACTIVE, VEHICLE_UNAVAILABLE, VEHICLE_BUSY with the driver who
 * has it, DRIVER_BUSY with the vehicle the driver has, or VALIDATION where there is no such vehicle.
 */
export async function assignVehicle(
  ctx: Context,
  id: string,
  { vehicleId, change }: { vehicleId: string; change: boolean },
): Promise<DriverRow> {
  const driver = await lockDriver(ctx, id)
  const vehicle = await lockVehicle(ctx, vehicleId)
  if (!vehicle) throw invalidField('vehicleId', 'rule.unknownItem')
  const pairs = await openPairs(ctx, id, vehicleId)
  const ofVehicle = pairs.find(({ vehicle_id }) => vehicle_id === vehicle.id)
  if (ofVehicle?.driver_id === id) return driver
  if (driver.status === 'inactive') throw new AppError('DRIVER_INACTIVE', { name: driver.name })
  if (vehicle.out_of_service_at) throw new AppError('VEHICLE_UNAVAILABLE', { name: vehicle.name })
  if (ofVehicle) throw new AppError('VEHICLE_BUSY', { name: vehicle.name, driver: ofVehicle.driver_name })
  const [former] = pairs
  if (former && !change) throw new AppError('DRIVER_BUSY', { name: driver.name, vehicle: former.vehicle_name })
  await closePair(ctx, { driverId: id })
  await openPair(ctx, id, vehicleId)
  ctx.audit({
    action: former ? 'drivers.vehicleChanged' : 'drivers.vehicleAssigned',
    target: target(driver),
    before: { vehicle: former?.vehicle_name ?? null },
    after: { vehicle: vehicle.name },
  })
  return findDriver(ctx, id)
}

/** Takes the vehicle from a driver who has one. Throws NOT_FOUND. */
export async function unassignVehicle(ctx: Context, id: string): Promise<DriverRow> {
  const driver = await lockDriver(ctx, id)
  if (!(await closePair(ctx, { driverId: id }))) return driver
  ctx.audit({
    action: 'drivers.vehicleUnassigned',
    target: target(driver),
    before: { vehicle: driver.vehicle_name },
    after: { vehicle: null },
  })
  return findDriver(ctx, id)
}
