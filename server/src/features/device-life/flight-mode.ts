import type { FlightModeChange, FlightSchedule } from '@isotherm/contract/device-life.ts'
import { announceDevice } from '../../platform/devices/announce.ts'
import { requestCommand } from '../../platform/devices/commands.ts'
import { aboutOf, isPrivate, type LockedDevice, lockInUse, targetOf } from '../../platform/devices/lock-device.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { readFlight } from './read-flight.ts'

const maxAheadMs = 366 * 86_400_000

/** Flight mode at once, whatever was scheduled. */
export async function switchFlightMode(ctx: Context, id: string, state: 'on' | 'off'): Promise<FlightSchedule> {
  const device = await lockInUse(ctx, id)
  if (state === 'on') await startNow(ctx, device.id)
  else await endFlightMode(ctx, device.id)
  return finish(ctx, device, state)
}

/** Flight mode from a departure on, in place of an earlier one that has not begun; or off. Throws FLIGHT_MODE_ON. */
export async function scheduleFlightMode(ctx: Context, id: string, change: FlightModeChange): Promise<FlightSchedule> {
  if (change.state === 'off') return switchFlightMode(ctx, id, 'off')
  const device = await lockInUse(ctx, id)
  const departsAt = new Date(change.scheduledDepartureDate ?? '')
  const now = ctx.clock.now()
  if (departsAt <= now) throw invalidField('scheduledDepartureDate', 'rule.departureInPast')
  if (departsAt.getTime() > now.getTime() + maxAheadMs)
    throw invalidField('scheduledDepartureDate', 'rule.departureTooFar')
  const before = await readFlight(ctx, device.id)
  if (before.state === 'on') throw new AppError('FLIGHT_MODE_ON')
  await endFlightMode(ctx, device.id)
  const flight = { carrier_code: change.carrierCode ?? null, flight_number: change.flightNumber ?? null }
  await ctx.tx
    .insertInto('flight_modes')
    .values({
      company_id: ctx.companyId,
      device_id: device.id,
      kind: 'flight',
      state: 'awaiting',
      ...flight,
      departs_at: departsAt,
      created_at: now,
    })
    .execute()
  ctx.audit({
    action: 'devices.flightScheduled',
    target: targetOf(device),
    after: { flight: `${change.carrierCode} ${change.flightNumber}`, departure: departsAt.toISOString() },
  })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return readFlight(ctx, device.id)
}

async function startNow(ctx: Context, deviceId: number): Promise<void> {
  const now = ctx.clock.now()
  const { numUpdatedRows } = await ctx.tx
    .updateTable('flight_modes')
    .set((eb) => ({ state: 'on', started_at: eb.fn.coalesce('started_at', eb.val(now)) }))
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('state', '<>', 'off')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  await ctx.tx
    .insertInto('flight_modes')
    .values({
      company_id: ctx.companyId,
      device_id: deviceId,
      kind: 'direct',
      state: 'on',
      created_at: now,
      started_at: now,
    })
    .execute()
}

/** Ends what is on or scheduled, or only what is in the given state. Tells the device nothing. */
export async function endFlightMode(ctx: Context, deviceId: number, state?: 'awaiting' | 'on'): Promise<void> {
  let ending = ctx.tx
    .updateTable('flight_modes')
    .set({ state: 'off', ended_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('state', '<>', 'off')
  if (state) ending = ending.where('state', '=', state)
  await ending.execute()
}

async function finish(ctx: Context, device: LockedDevice, state: 'on' | 'off'): Promise<FlightSchedule> {
  const wanted = { kind: 'flight_mode', value: { state } } as const
  await requestCommand(ctx.tx, aboutOf(ctx, device), wanted, { state: device.flight_mode })
  ctx.audit({ action: 'devices.flightMode', target: targetOf(device), after: { wished: state } })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return readFlight(ctx, device.id)
}
