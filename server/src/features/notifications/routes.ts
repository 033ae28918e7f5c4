import { done } from '@isotherm/contract/common.ts'
import type { NotificationSettings, notifications } from '@isotherm/contract/notifications.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { zoneOf } from '../../platform/auth/users.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { presentNotification } from './present.ts'
import { addBrowser, removeBrowser } from './push.ts'
import { countUnread, listNotifications, markRead } from './queries.ts'

type NotificationPageQuery = Parameters<typeof listNotifications>[1]

async function page(ctx: Context, wanted: NotificationPageQuery, none: ReturnType<typeof noneOf>) {
  const { rows, total, unread } = await listNotifications(ctx, wanted)
  const timezone = await zoneOf(ctx)
  return {
    data: rows.map((row) => presentNotification(ctx, timezone, row)),
    meta: metaOf(wanted, total),
    unread,
    message: total === 0 ? translate(ctx.locale, `notifications:${none}`) : null,
  }
}

const noneOf = ({ device, search }: { device?: string | undefined; search?: string | undefined }) =>
  search ? 'notFound' : device ? 'noneOfDevice' : 'none'

async function settingsOf({ tx, companyId, person }: Context): Promise<NotificationSettings> {
  const row = await tx
    .selectFrom('notification_settings')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('user_id', '=', person.id)
    .executeTakeFirst()
  const quiet = row?.quiet_from && row.quiet_to ? { from: row.quiet_from, to: row.quiet_to } : null
  return { quiet, sound: row?.sound ?? false, crossingMails: row?.place_mail ?? false, push: row?.push ?? false }
}

async function changeSettings(ctx: Context, wanted: NotificationSettings): Promise<NotificationSettings> {
  const before = await settingsOf(ctx)
  const values = {
    quiet_from: wanted.quiet?.from ?? null,
    quiet_to: wanted.quiet?.to ?? null,
    sound: wanted.sound,
    place_mail: wanted.crossingMails,
    push: wanted.push,
    updated_at: ctx.clock.now(),
  }
  await ctx.tx
    .insertInto('notification_settings')
    .values({ company_id: ctx.companyId, user_id: ctx.person.id, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet(values))
    .execute()
  ctx.audit({ action: 'notifications.settingsChanged', before: { ...before }, after: { ...wanted } })
  return settingsOf(ctx)
}

export const notificationHandlers: Handlers<typeof notifications> = {
  list: (ctx, { query }) => page(ctx, query, noneOf(query)),
  search: (ctx, { query }) => page(ctx, query, noneOf(query)),
  filter: (ctx, { body }) => page(ctx, body, noneOf(body)),
  ofDevice: (ctx, { params, body }) => page(ctx, { ...body, imei: params.imei }, 'noneOfDevice'),
  async read(ctx, { body }) {
    await markRead(ctx, 'ids' in body ? body.ids : null)
    const unread = await countUnread(ctx)
    const event = { companyId: ctx.companyId, kind: 'notification' as const, userId: ctx.person.id }
    ctx.afterCommit(() => ctx.services.bus.publish({ ...event, data: { unread, added: null } }))
    return { unread }
  },
  settings: (ctx) => settingsOf(ctx),
  changeSettings: (ctx, { body }) => changeSettings(ctx, body),
  pushKey: async (ctx) => ({ key: ctx.services.config.messaging.webPush?.publicKey ?? null }),
  async addBrowser(ctx, { body }) {
    await addBrowser(ctx, body)
    return done
  },
  async removeBrowser(ctx, { body }) {
    await removeBrowser(ctx, body.endpoint)
    return done
  },
}
