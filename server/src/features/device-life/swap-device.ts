import type { ClaimedLife, DeviceSwap } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { announceDevice } from '../../platform/devices/announce.ts'
import { isPrivate, lockInUse, targetOf } from '../../platform/devices/lock-device.ts'
import { invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { endFlightMode } from './flight-mode.ts'
import { getLife } from './get-life.ts'
import {
  assignHardware,
  changeoverAt,
  lastHardware,
  proveHardware,
  releaseHardware,
  tellSettings,
  withdrawCommands,
} from './hardware.ts'

/**
 * Goes on with other hardware: the old period ends at the instant the new one begins. Of two who want the same
 * hardware, one wins. Throws NOT_FOUND, DEVICE_DECOMMISSIONED, CLAIM_REFUSED, TOO_MANY_REQUESTS or a 422.
 */
export async function swapDevice(ctx: Context, id: string, input: z.output<typeof DeviceSwap>): Promise<ClaimedLife> {
  const device = await lockInUse(ctx, id)
  const present = await lastHardware(ctx, device.id)
  if (present?.imei === input.newImei && !present.valid_to) throw invalidField('newImei', 'rule.sameImei')
  const to = { imei: input.newImei, probe: input.probe ?? present?.probe ?? 1 }
  const hardware = await proveHardware(ctx, { ...to, claimCode: input.claimCode })
  const at = changeoverAt(ctx, present)
  await releaseHardware(ctx, device.id, at)
  const newSecret = await assignHardware(ctx, device.id, { hardware, probe: to.probe }, at)
  await ctx.tx
    .updateTable('devices')
    .set({ type: hardware.type })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', device.id)
    .execute()
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
  return { ...(await getLife(ctx, device.id)), newSecret }
}
