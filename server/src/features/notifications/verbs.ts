import type { NotificationSettings, PushBrowser } from '@isotherm/contract/notifications.ts'
import { markRead } from '../../core/alerts/notification-lines.ts'
import { keepBrowser } from '../../core/people/push-subscriptions.ts'
import type { Context } from '../../platform/context.ts'
import { mayEncryptFor } from './policy.ts'
import { presentSettings } from './present.ts'
import { countUnread } from './queries.ts'
import { findSettings, writeSettings } from './settings-queries.ts'

/** Marks notifications as read, all where no ids are given; returns how many are unread, and tells the person's other browsers. */
export async function readNotifications(ctx: Context, ids: readonly string[] | null): Promise<number> {
  await markRead(ctx, ids)
  const unread = await countUnread(ctx)
  const event = { companyId: ctx.companyId, kind: 'notification' as const, userId: ctx.person.id }
  ctx.afterCommit(() => ctx.services.bus.publish({ ...event, data: { unread, added: null } }))
  return unread
}

export async function changeSettings(ctx: Context, wanted: NotificationSettings) {
  const before = await findSettings(ctx)
  const after = await writeSettings(ctx, {
    quiet_from: wanted.quiet?.from ?? null,
    quiet_to: wanted.quiet?.to ?? null,
    sound: wanted.sound,
    place_mail: wanted.crossingMails,
    push: wanted.push,
    updated_at: ctx.clock.now(),
  })
  ctx.audit({ action: 'notifications.settingsChanged', before: presentSettings(before), after: presentSettings(after) })
  return after
}

/** Notes a browser to push to. Throws VALIDATION. */
export async function addBrowser(ctx: Context, browser: PushBrowser): Promise<void> {
  mayEncryptFor(browser.p256dh)
  await keepBrowser(ctx, browser)
}
