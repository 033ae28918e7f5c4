import type { Decommission, DeviceLife } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { announceDevice } from '../../platform/devices/announce.ts'
import { isPrivate, lockInUse, targetOf } from '../../platform/devices/lock-device.ts'
import type { Context } from '../../platform/http/context.ts'
import { endFlightMode } from './flight-mode.ts'
import { getLife } from './get-life.ts'
import { changeoverAt, lastHardware, releaseHardware, withdrawCommands } from './hardware.ts'

/** Takes a device out of use: hardware and licence become free, what waits for it is withdrawn, history stays. */
export async function decommission(
  ctx: Context,
  id: string,
  { reason }: z.output<typeof Decommission>,
): Promise<DeviceLife> {
  const device = await lockInUse(ctx, id)
  const now = ctx.clock.now()
  const present = await lastHardware(ctx, device.id)
  await releaseHardware(ctx, device.id, changeoverAt(ctx, present))
  await withdrawCommands(ctx, device.id)
  await endFlightMode(ctx, device.id)
  await ctx.tx
    .deleteFrom('licence_uses')
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', device.id)
    .execute()
  // `licence_id` and `licence_until` stay: restoring asks for that licence first, and what was hidden stays hidden.
  await ctx.tx
    .updateTable('devices')
    .set({ decommissioned_at: now, updated_at: now })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', device.id)
    .execute()
  await ctx.tx
    .updateTable('device_sessions')
    .set((eb) => ({ ended_at: eb.fn('greatest', [eb.val(now), 'started_at']), ended_by: 'decommissioned' }))
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', device.id)
    .where('ended_at', 'is', null)
    .execute()
  ctx.audit({
    action: 'devices.decommissioned',
    target: targetOf(device),
    before: { imei: present?.valid_to ? null : (present?.imei ?? null) },
    ...(reason ? { reason } : {}),
  })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return getLife(ctx, device.id)
}
