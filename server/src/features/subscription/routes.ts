import type { subscription } from '@isotherm/contract/subscription.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentLicence } from './present.ts'
import { pageOfLicences } from './queries.ts'
import { readEntitlement } from './read-entitlement.ts'
import { takeIntoStock } from './take-licence.ts'

export const subscriptionHandlers: Handlers<typeof subscription> = {
  entitlement: readEntitlement,
  async licences(ctx, { query }) {
    const now = ctx.clock.now()
    return presentPage(query, await pageOfLicences(ctx, now, query), (row) => presentLicence(row, now, ctx.locale))
  },
  addLicence: async (ctx, { body }) =>
    presentLicence(await takeIntoStock(ctx, body.licenceKey), ctx.clock.now(), ctx.locale),
}
