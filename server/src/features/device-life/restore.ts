import type { Restore } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import { settleSubscription } from '../../core/company/settle-subscription.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { hardwareOf } from '../../core/devices/assignments.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { countDevices } from '../../core/devices/licence-queries.ts'
import { claimLicence, claimPlace } from '../../core/devices/licences.ts'
import { isPrivate, type LockedDevice, lockDevice, refuseSample, targetOf } from '../../core/devices/lock-device.ts'
import { insertLicenceUse, lockLicence } from '../../core/devices/place-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { putOn } from './add-licence.ts'
import { assignHardware, type ClaimedDevice, changeoverAt, proveHardware, tellSettings } from './hardware.ts'

/**
 * Takes a device into use again, on the hardware and licence it had or on others. Throws NOT_FOUND, DEVICE_IN_SERVICE, SAMPLE_DEVICE,
 * LICENCE_NEEDED, LICENCE_INVALID, LICENCE_USED, CLAIM_REFUSED, TOO_MANY_REQUESTS or a 422.
 */
export async function restore(ctx: Context, id: string, input: z.output<typeof Restore>): Promise<ClaimedDevice> {
  const device = await lockDevice(ctx, id)
  if (!device.decommissioned_at) throw new AppError('DEVICE_IN_SERVICE')
  refuseSample(device)
  if (input.licenceKey === undefined) await takeLicenceAgain(ctx, device)
  else await putOn(ctx, device, await claimLicence(ctx, input.licenceKey, ctx.clock.now()))
  const [last] = await hardwareOf(ctx, device.id)
  const imei = input.imei ?? last?.imei
  if (imei === undefined) throw invalidField('imei', 'required')
  const goesOn = imei === last?.imei
  const to = { imei, probe: goesOn ? last.probe : 1 }
  const hardware = await proveHardware(ctx, { ...to, claimCode: input.claimCode, goesOn })
  const newSecret = await assignHardware(ctx, device.id, { hardware, probe: to.probe }, changeoverAt(ctx, last))
  await updateDevice(ctx, device.id, { decommissioned_at: null, type: hardware.type })
  await tellSettings(ctx, device, [])
  ctx.audit({ action: 'devices.restored', target: targetOf(device), after: to })
  announceDevice(ctx, device.id, 'settings', isPrivate(device))
  return { device, newSecret }
}

/**
 * Its last licence once more, if that has time left and a place free, else any of the company's: their rows are locked, so that one of
 * two gets the last place.
 */
async function takeLicenceAgain(ctx: Context, device: LockedDevice): Promise<void> {
  const now = ctx.clock.now()
  if (device.licence_id !== null) {
    const licence = await lockLicence(ctx, device.licence_id)
    const over = (device.licence_until ?? licence.expires_at) <= now
    if (!over && (await countDevices(ctx, licence.id)) < licence.devices) {
      await insertLicenceUse(ctx, licence.id, device.id)
      return giveTime(ctx, device, licence.expires_at)
    }
  }
  const { licence: other } = await claimPlace(ctx, now)
  if (!other) throw new AppError('LICENCE_NEEDED')
  await putOn(ctx, device, other)
}

/** The licence may have been prolonged while the device was out of use. */
async function giveTime(ctx: Context, device: LockedDevice, until: Date): Promise<void> {
  if (device.licence_until && device.licence_until < until) await updateDevice(ctx, device.id, { licence_until: until })
  await settleSubscription(ctx)
}
