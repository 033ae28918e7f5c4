import { showTrackingCode } from '../../../domain/tracking-code.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { OrderRow } from '../order-queries.ts'
import type { ActContext } from './act-context.ts'
import { type CargoDevice, type Driver, driverOf, orderDevices, type Vehicle, vehicleOf } from './crew-queries.ts'

export interface Crew {
  driver: Driver
  vehicle: Vehicle
  devices: CargoDevice[]
}

type Reader = Pick<ActContext, 'tx' | 'companyId' | 'seesPrivate'>

function checkDriver(driver: Driver | undefined): Driver {
  if (!driver) throw new AppError('DRIVER_NEEDED')
  if (driver.status !== 'active') throw new AppError('DRIVER_INACTIVE', { name: driver.name })
  if (driver.drives !== null) throw new AppError('DRIVER_BUSY', { name: driver.name, vehicle: driver.drives })
  return driver
}

function checkVehicle(vehicle: Vehicle | undefined): Vehicle {
  if (!vehicle) throw new AppError('VEHICLE_NEEDED')
  if (vehicle.isOut) throw new AppError('VEHICLE_UNAVAILABLE', { name: vehicle.name })
  if (vehicle.isWith !== null) throw new AppError('VEHICLE_BUSY', { name: vehicle.name, driver: vehicle.isWith })
  return vehicle
}

function checkDevices(devices: CargoDevice[], seesPrivate: boolean): CargoDevice[] {
  if (devices.some(({ isGone }) => isGone)) throw new AppError('DEVICE_DECOMMISSIONED')
  const busy = devices.find(({ busyWith }) => busyWith !== null)
  if (busy?.isPrivate && !seesPrivate) throw new AppError('DEVICE_BUSY_UNSEEN')
  if (busy?.busyWith) throw new AppError('DEVICE_BUSY', { device: busy.name, code: showTrackingCode(busy.busyWith) })
  return devices
}

/**
 * The driver, the vehicle and the devices of an order, each free for the order and, where asked, locked until the transaction ends: driver, then vehicle,
 * then devices by id. Throws DRIVER_NEEDED, DRIVER_INACTIVE, DRIVER_BUSY, VEHICLE_NEEDED, VEHICLE_UNAVAILABLE, VEHICLE_BUSY,
 * DEVICE_DECOMMISSIONED, DEVICE_BUSY or DEVICE_BUSY_UNSEEN.
 */
export async function freeCrew(ctx: Reader, order: OrderRow, { isLocked }: { isLocked: boolean }): Promise<Crew> {
  const driver = checkDriver(await driverOf(ctx, order, isLocked))
  const vehicle = checkVehicle(await vehicleOf(ctx, order, isLocked))
  return { driver, vehicle, devices: checkDevices(await orderDevices(ctx, order, isLocked), ctx.seesPrivate) }
}
