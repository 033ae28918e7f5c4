import type { FlightModeChange } from '@isotherm/contract/device-life.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { requestCommand } from '../../core/devices/commands.ts'
import { currentFlight, endFlightMode, insertFlight, startScheduled } from '../../core/devices/flight-queries.ts'
import { aboutOf, isPrivate, type LockedDevice, lockInUse, targetOf } from '../../core/devices/lock-device.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'

const maxAheadMs = 366 * 86_400_000

/** Flight mode at once, whatever was scheduled. Throws NOT_FOUND or DEVICE_DECOMMISSIONED. */
export async function switchFlightMode(ctx: Context, id: string, state: 'on' | 'off'): Promise<LockedDevice> {
  const device = await lockInUse(ctx, id)
  if (state === 'off') await endFlightMode(ctx, device.id)
  else if (!(await startScheduled(ctx, device.id)))
    await insertFlight(ctx, { device_id: device.id, kind: 'direct', state: 'on', started_at: ctx.clock.now() })
  const wanted = { kind: 'flight_mode', value: { state } } as const
  await requestCommand(ctx.tx, aboutOf(ctx, device), wanted, { state: device.flight_mode })
  ctx.audit({ action: 'devices.flightMode', target: targetOf(device), after: { wished: state } })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return device
}

/**
 * Flight mode from a departure on, in place of an earlier one that has not begun; or off. Throws NOT_FOUND, DEVICE_DECOMMISSIONED,
 * FLIGHT_MODE_ON or a 422.
 */
export async function scheduleFlightMode(ctx: Context, id: string, change: FlightModeChange): Promise<LockedDevice> {
  if (change.state === 'off') return switchFlightMode(ctx, id, 'off')
  const device = await lockInUse(ctx, id)
  const departsAt = new Date(change.scheduledDepartureDate ?? '')
  const now = ctx.clock.now()
  if (departsAt <= now) throw invalidField('scheduledDepartureDate', 'rule.departureInPast')
  if (departsAt.getTime() > now.getTime() + maxAheadMs)
    throw invalidField('scheduledDepartureDate', 'rule.departureTooFar')
  if ((await currentFlight(ctx, device.id))?.state === 'on') throw new AppError('FLIGHT_MODE_ON')
  await endFlightMode(ctx, device.id)
  await insertFlight(ctx, {
    device_id: device.id,
    kind: 'flight',
    state: 'awaiting',
    carrier_code: change.carrierCode ?? null,
    flight_number: change.flightNumber ?? null,
    departs_at: departsAt,
  })
  ctx.audit({
    action: 'devices.flightScheduled',
    target: targetOf(device),
    after: { flight: `${change.carrierCode} ${change.flightNumber}`, departure: departsAt.toISOString() },
  })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return device
}
