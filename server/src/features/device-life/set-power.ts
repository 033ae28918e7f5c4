import type { PowerChange } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { announceDevice } from '../../core/devices/announce.ts'
import { requestCommand } from '../../core/devices/commands.ts'
import {
  aboutOf,
  devicesOn,
  isPrivate,
  type LockedDevice,
  lockInUse,
  targetOf,
} from '../../core/devices/lock-device.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/**
 * Asks hardware to switch itself off or on: every device on its probes goes with it, so all of them must be ones that
 * the person may see. Throws NOT_FOUND or
 * DEVICE_DECOMMISSIONED.
 */
export async function setPower(ctx: Context, { imei, state }: z.output<typeof PowerChange>) {
  const locked = new Map<number, LockedDevice>()
  for (const { device_id: id } of await devicesOn(ctx, imei)) locked.set(id, await lockInUse(ctx, id))
  // Read again: a device that was locked may have got other hardware just before, which nobody asked to switch.
  const on = (await devicesOn(ctx, imei)).filter(({ device_id: id }) => locked.has(id))
  if (on.length === 0) throw new AppError('NOT_FOUND')
  for (const device of on.flatMap(({ device_id: id }) => locked.get(id) ?? [])) {
    await requestCommand(ctx.tx, aboutOf(ctx, device), { kind: 'power', value: { state } }, { state: device.power })
    ctx.audit({ action: 'devices.power', target: targetOf(device), after: { wished: state, imei } })
    announceDevice(ctx, device.id, 'power', isPrivate(device))
  }
  return on
}
