import { lockAccount } from '../../core/billing/account-queries.ts'
import { subscriptionById } from '../../core/billing/subscription-queries.ts'
import { settleSubscription } from '../../core/company/settle-subscription.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { countDevices, isTrial } from '../../core/devices/licence-queries.ts'
import { isPrivate, lockInUse, refuseSample, targetOf } from '../../core/devices/lock-device.ts'
import { insertLicenceUse, lockLicence } from '../../core/devices/place-queries.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import type { Placed } from './cancel-device.ts'
import { placeOf } from './plan-queries.ts'

/**
 * Gives a free place of a plan that runs to a device that no licence covers, or a trial only. Throws NOT_FOUND, ALREADY_CANCELLED where the plan is
 * over, DEVICE_DECOMMISSIONED, SAMPLE_DEVICE, DEVICE_LICENSED or NO_FREE_PLACE.
 */
export async function placeDevice(ctx: Context, id: string, wanted: string): Promise<Placed> {
  const now = ctx.clock.now()
  await findVisible(ctx, deviceIdOf(wanted))
  await lockAccount(ctx)
  const subscription = orNotFound(await subscriptionById(ctx, id))
  if (subscription.state === 'cancelled' || subscription.state === 'expired') throw new AppError('ALREADY_CANCELLED')
  const licence = await lockLicence(ctx, subscription.licence_id)
  const device = await lockInUse(ctx, wanted)
  refuseSample(device)
  const { licence_id: before, licence_until: until } = device
  if (until && until > now && !(before !== null && (await isTrial(ctx, before)))) throw new AppError('DEVICE_LICENSED')
  if ((await countDevices(ctx, licence.id)) >= licence.devices) throw new AppError('NO_FREE_PLACE')
  const lasts = until && until > licence.expires_at ? until : licence.expires_at
  await updateDevice(ctx, device.id, { licence_id: licence.id, licence_until: lasts, updated_at: now })
  // The place of a device that changes to this licence is noted by the database.
  if (before === licence.id) await insertLicenceUse(ctx, licence.id, device.id)
  await settleSubscription(ctx)
  ctx.audit({
    action: 'subscription.devicePlaced',
    target: targetOf(device),
    after: { plan: licence.plan_name, until: lasts.toISOString() },
  })
  announceDevice(ctx, device.id, 'licence', isPrivate(device))
  return { device, place: orNotFound(await placeOf(ctx, device.id)) }
}
