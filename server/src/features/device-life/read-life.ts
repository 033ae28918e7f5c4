import type { DeviceLife, FlightSchedule } from '@isotherm/contract/device-life.ts'
import { hardwareOf } from '../../core/devices/assignments.ts'
import { confirmedFlight, currentFlight } from '../../core/devices/flight-queries.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { presentFlight, presentLife } from './present.ts'
import { findDevice, licencesOf } from './queries.ts'

/** A device's hardware through time, its licences, power and flight mode; throws NOT_FOUND. */
export async function readLife(ctx: Context, id: string | number): Promise<DeviceLife> {
  const device = orNotFound(await findDevice(ctx, id))
  const hardware = await hardwareOf(ctx, device.id)
  return presentLife(device, hardware, await licencesOf(ctx, device.id), await flightOf(ctx, device.id))
}

/** Flight mode of a device the person may see; throws NOT_FOUND. */
export async function readFlight(ctx: Context, id: string): Promise<FlightSchedule> {
  const device = await findVisible(ctx, deviceIdOf(id))
  return flightOf(ctx, device.id)
}

export const flightOf = async (ctx: Context, deviceId: number): Promise<FlightSchedule> =>
  presentFlight(await currentFlight(ctx, deviceId), await confirmedFlight(ctx, deviceId))
