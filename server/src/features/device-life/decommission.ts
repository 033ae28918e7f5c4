import type { Decommission } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { announceDevice } from '../../core/devices/announce.ts'
import { hardwareOf, releaseHardware } from '../../core/devices/assignments.ts'
import { withdrawCommands } from '../../core/devices/commands.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { endFlightMode } from '../../core/devices/flight-queries.ts'
import { isPrivate, type LockedDevice, lockInUse, targetOf } from '../../core/devices/lock-device.ts'
import { deleteLicenceUses } from '../../core/devices/place-queries.ts'
import type { Context } from '../../platform/context.ts'
import { changeoverAt } from './hardware.ts'

/** Ends the sessions of a device; the feature that owns them does. */
export type EndSessions = (ctx: Context, deviceId: number) => Promise<unknown>

/**
 * Takes a device out of use: hardware and licence become free, what waits for it is withdrawn, history stays. Throws NOT_FOUND or
 * DEVICE_DECOMMISSIONED.
 */
export async function decommission(
  ctx: Context,
  id: string,
  { reason }: z.output<typeof Decommission>,
  endSessionsOf: EndSessions,
): Promise<LockedDevice> {
  const device = await lockInUse(ctx, id)
  const now = ctx.clock.now()
  const [present] = await hardwareOf(ctx, device.id)
  await releaseHardware(ctx, device.id, changeoverAt(ctx, present))
  await withdrawCommands(ctx, device.id)
  await endFlightMode(ctx, device.id)
  await deleteLicenceUses(ctx, device.id)
  // `licence_id` and `licence_until` stay: restoring asks for that licence first, and what was hidden stays hidden.
  await updateDevice(ctx, device.id, { decommissioned_at: now, updated_at: now })
  await endSessionsOf(ctx, device.id)
  ctx.audit({
    action: 'devices.decommissioned',
    target: targetOf(device),
    before: { imei: present?.valid_to ? null : (present?.imei ?? null) },
    ...(reason ? { reason } : {}),
  })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return device
}
