import type { LicenceAdding } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { settleSubscription } from '../../core/company/settle-subscription.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { claimLicence, type Licence } from '../../core/devices/licences.ts'
import {
  devicesOn,
  isPrivate,
  type LockedDevice,
  lockInUse,
  refuseSample,
  targetOf,
} from '../../core/devices/lock-device.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { licencesOf } from './queries.ts'

/**
 * Adds a licence to the device on a probe of this hardware. What is left of its time is added to the licence's; renewing
 * is possible when everything else has expired. Throws NOT_FOUND, DEVICE_DECOMMISSIONED, SAMPLE_DEVICE, LICENCE_INVALID or LICENCE_USED.
 */
export async function addLicence(ctx: Context, input: z.output<typeof LicenceAdding>): Promise<LockedDevice> {
  const on = await devicesOn(ctx, input.imei)
  const own = on.find(({ probe }) => probe === input.probe)
  if (!own) throw new AppError('NOT_FOUND')
  const device = await lockInUse(ctx, own.device_id)
  refuseSample(device)
  const licence = await claimLicence(ctx, input.licenceKey, ctx.clock.now())
  const until = await putOn(ctx, device, licence)
  ctx.audit({
    action: 'devices.licenceAdded',
    target: targetOf(device),
    before: { until: device.licence_until?.toISOString() ?? null },
    after: { licence: licence.hint, until: until.toISOString() },
  })
  announceDevice(ctx, device.id, 'licence', isPrivate(device))
  return device
}

/** Gives a device a licence's time and returns until when it then has any. Throws LICENCE_USED where it has that one already. */
export async function putOn(ctx: Context, device: LockedDevice, licence: Licence): Promise<Date> {
  const now = ctx.clock.now()
  const used = (await licencesOf(ctx, device.id)).some(({ id }) => id === licence.id)
  if (used) throw new AppError('LICENCE_USED')
  const left = device.decommissioned_at ? 0 : Math.max(0, (device.licence_until?.getTime() ?? 0) - now.getTime())
  const until = new Date(licence.expiresAt.getTime() + left)
  await updateDevice(ctx, device.id, { licence_id: licence.id, licence_until: until, updated_at: now })
  await settleSubscription(ctx)
  return until
}
