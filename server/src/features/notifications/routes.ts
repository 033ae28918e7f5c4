import type { notifications } from '@isotherm/contract/notifications.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { removeBrowser, takeFromOtherCompanies } from '../../core/people/push-subscriptions.ts'
import { zoneOf } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mayEncryptFor } from './policy.ts'
import { presentNotification, presentSettings } from './present.ts'
import { listNotifications } from './queries.ts'
import { findSettings } from './settings-queries.ts'
import { addBrowser, changeSettings, readNotifications } from './verbs.ts'

type NotificationPageQuery = Parameters<typeof listNotifications>[1]

async function page(ctx: Context, wanted: NotificationPageQuery, none: ReturnType<typeof noneOf>) {
  const { rows, hasMore, total, unread } = await listNotifications(ctx, wanted)
  const timezone = await zoneOf(ctx)
  return {
    data: rows.map((row) => presentNotification(ctx, timezone, row)),
    meta: metaOf(wanted, total),
    unread,
    next: hasMore ? (rows.at(-1)?.id ?? null) : null,
    message: total === 0 ? translate(ctx.locale, `notifications:${none}`) : null,
  }
}

const noneOf = ({ device, search }: { device?: string | undefined; search?: string | undefined }) =>
  search ? 'notFound' : device ? 'noneOfDevice' : 'none'

export const notificationHandlers: Handlers<typeof notifications> = {
  list: (ctx, { query }) => page(ctx, query, noneOf(query)),
  search: (ctx, { query }) => page(ctx, query, noneOf(query)),
  filter: (ctx, { body }) => page(ctx, body, noneOf(body)),
  ofDevice: (ctx, { params, body }) => page(ctx, { ...body, imei: params.imei }, 'noneOfDevice'),
  read: async (ctx, { body }) => ({ unread: await readNotifications(ctx, 'ids' in body ? body.ids : null) }),
  settings: async (ctx) => presentSettings(await findSettings(ctx)),
  changeSettings: async (ctx, { body }) => presentSettings(await changeSettings(ctx, body)),
  pushKey: async (ctx) => ({ key: ctx.services.config.messaging.webPush?.publicKey ?? null }),
  addBrowser: (ctx, { body }) => addBrowser(ctx, body),
  async removeBrowser(ctx, { body }) {
    await removeBrowser(ctx, body.endpoint)
  },
}

/** The rows of other companies are out of reach of the call's own transaction. */
export const beforeNotifications: Before<typeof notifications> = {
  async addBrowser({ body }, _uploads, { pool }, { companyId }) {
    mayEncryptFor(body.p256dh)
    await takeFromOtherCompanies(pool, companyId, body.endpoint)
  },
}
