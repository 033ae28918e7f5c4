import { lockAccount } from '../../core/billing/account-queries.ts'
import { giveUpChanges } from '../../core/billing/change-transfers.ts'
import { voidPeriods } from '../../core/billing/payment-queries.ts'
import { type SubscriptionRow, subscriptionById, updateSubscription } from '../../core/billing/subscription-queries.ts'
import { settleSubscription } from '../../core/company/settle-subscription.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { isPrivate } from '../../core/devices/lock-device.ts'
import { changeLicence, lockLicence } from '../../core/devices/place-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'

async function lockSubscription(ctx: Context, id: string): Promise<SubscriptionRow> {
  await lockAccount(ctx)
  return orNotFound(await subscriptionById(ctx, id))
}

/**
 * Ends a subscription with the period that is paid. Where that is over, it ends now: what is owed for the next one is owed no more. Again: nothing
 * happens. Throws NOT_FOUND.
 */
export async function cancel(ctx: Context, id: string): Promise<void> {
  const row = await lockSubscription(ctx, id)
  if (row.state === 'cancelled' || row.cancel_at_end) return
  // Money that comes for a change after this is looked at.
  await giveUpChanges(ctx, row.id, ctx.clock.now())
  if (row.state === 'active') await setCancelling(ctx, row, true)
  else await endNow(ctx, row)
}

/** Goes on with a subscription that would end with its period. Throws NOT_FOUND, or ALREADY_CANCELLED where it has ended. */
export async function resume(ctx: Context, id: string): Promise<void> {
  const row = await lockSubscription(ctx, id)
  if (row.state === 'cancelled') throw new AppError('ALREADY_CANCELLED')
  if (row.cancel_at_end) await setCancelling(ctx, row, false)
}

/** The account is locked. */
export async function setCancelling(ctx: Context, row: SubscriptionRow, isCancelling: boolean): Promise<void> {
  const now = ctx.clock.now()
  // Before its end the job looks at it at once: the days of grace go, or the schedule of this period begins anew.
  const looks = row.state === 'active' && now < row.period_end
  await updateSubscription(ctx, row.id, {
    cancel_at_end: isCancelling,
    ...(looks && { next_action_at: now, ...(!isCancelling && { renewal_step: 0 }) }),
  })
  const until = row.period_end.toISOString()
  tell(ctx, row, isCancelling ? 'subscription.cancelled' : 'subscription.resumed', isCancelling ? { until } : undefined)
}

async function endNow(ctx: Context, row: SubscriptionRow): Promise<void> {
  const now = ctx.clock.now()
  await voidPeriods(ctx, row.id, now)
  await updateSubscription(ctx, row.id, {
    state: 'cancelled',
    // The days of grace that it used until now are taken off what is bought next.
    ...{ ended_at: row.ended_at ?? now, next_action_at: null, next_plan_id: null, next_cadence: null },
  })
  await lockLicence(ctx, row.licence_id)
  // The days that it was left to run without being paid are over, too.
  const devices = await changeLicence(ctx, row.licence_id, { expires_at: row.period_end }, now)
  await settleSubscription(ctx)
  tell(ctx, row, 'subscription.cancelled', { until: now.toISOString() })
  for (const device of devices) announceDevice(ctx, device.id, 'licence', isPrivate(device))
}

const tell = (ctx: Context, row: SubscriptionRow, action: string, after?: Record<string, string>) =>
  ctx.audit({ action, target: { kind: 'subscription', id: row.id, name: row.id }, ...(after ? { after } : {}) })
