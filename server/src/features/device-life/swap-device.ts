import type { DeviceSwap } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { announceDevice } from '../../core/devices/announce.ts'
import { hardwareOf, releaseHardware } from '../../core/devices/assignments.ts'
import { withdrawCommands } from '../../core/devices/commands.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { endFlightMode } from '../../core/devices/flight-queries.ts'
import { isPrivate, lockInUse, refuseSample, targetOf } from '../../core/devices/lock-device.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { assignHardware, type ClaimedDevice, changeoverAt, proveHardware, tellSettings } from './hardware.ts'

/**
 * Goes on with other hardware: the old period ends at the instant the new one begins. Of two who want the same
 * hardware, one wins. Throws NOT_FOUND, DEVICE_DECOMMISSIONED, SAMPLE_DEVICE, CLAIM_REFUSED, TOO_MANY_REQUESTS or VALIDATION.
 */
export async function swapDevice(ctx: Context, id: string, input: z.output<typeof DeviceSwap>): Promise<ClaimedDevice> {
  const device = await lockInUse(ctx, id)
  refuseSample(device)
  const [present] = await hardwareOf(ctx, device.id)
  if (present?.imei === input.newImei && !present.valid_to) throw invalidField('newImei', 'rule.sameImei')
  const to = { imei: input.newImei, probe: input.probe ?? present?.probe ?? 1 }
  const hardware = await proveHardware(ctx, { ...to, claimCode: input.claimCode })
  const at = changeoverAt(ctx, present)
  await releaseHardware(ctx, device.id, at)
  const newSecret = await assignHardware(ctx, device.id, { hardware, probe: to.probe }, at)
  await updateDevice(ctx, device.id, { type: hardware.type })
  // A flight still to come is the device's, whatever hardware it then has.
  await endFlightMode(ctx, device.id, 'on')
  await tellSettings(ctx, device, await withdrawCommands(ctx, device.id))
  ctx.audit({
    action: 'devices.swapped',
    target: targetOf(device),
    before: { imei: present?.valid_to ? null : (present?.imei ?? null), probe: present?.probe ?? null },
    after: { ...to, from: at.toISOString() },
  })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return { device, newSecret }
}
