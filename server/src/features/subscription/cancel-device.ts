import { lockAccount } from '../../core/billing/account-queries.ts'
import { subscriptionById } from '../../core/billing/subscription-queries.ts'
import { settleSubscription } from '../../core/company/settle-subscription.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { isPrivate, targetOf } from '../../core/devices/lock-device.ts'
import { changeGrace, lockLicence, markPlace } from '../../core/devices/place-queries.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { setCancelling } from './cancel.ts'
import { type Place, placeOf } from './plan-queries.ts'

/** A device with the place that it has in a plan. */
export interface Placed {
  device: { id: number; name: string }
  place: Place
}

/**
 * Has a device give up its place, or keep it after all: the place lasts as long as what is paid, and the next period does not renew it. A plan for one
 * device ends with it. Throws NOT_FOUND, or NOT_SUBSCRIBED for a device that no subscription pays for.
 */
export async function cancelDevice(ctx: Context, id: string, isCancelling: boolean): Promise<Placed> {
  const device = await findVisible(ctx, deviceIdOf(id))
  await lockAccount(ctx)
  const place = await placeOf(ctx, device.id)
  if (!place) throw new AppError('NOT_SUBSCRIBED')
  const { devices } = await lockLicence(ctx, place.licence_id)
  const subscription = orNotFound(await subscriptionById(ctx, place.subscription_id))
  let until = place.licence_until
  if ((place.cancelled_at !== null) !== isCancelling) {
    const now = ctx.clock.now()
    const cancelledAt = isCancelling ? now : null
    const of = { subscriptionId: subscription.id, deviceId: device.id }
    // The days of grace are for what goes on.
    const changed = orNotFound(await changeGrace(ctx, of, { has: !isCancelling, now }))
    until = changed.licence_until
    if (until.getTime() !== place.licence_until.getTime()) {
      await settleSubscription(ctx)
      announceDevice(ctx, device.id, 'licence', isPrivate(changed))
    }
    await markPlace(ctx, { licenceId: place.licence_id, deviceId: device.id }, cancelledAt)
    ctx.audit({
      action: isCancelling ? 'subscription.deviceCancelled' : 'subscription.deviceKept',
      target: targetOf(device),
      ...(isCancelling ? { after: { until: until.toISOString() } } : {}),
    })
  }
  if (devices === 1 && subscription.cancel_at_end !== isCancelling) await setCancelling(ctx, subscription, isCancelling)
  return { device, place: { ...place, licence_until: until, cancelled_at: isCancelling ? ctx.clock.now() : null } }
}
