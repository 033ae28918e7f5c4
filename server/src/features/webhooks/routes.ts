import type { webhooks } from '@isotherm/contract/webhooks.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { attemptsOf, findDelivery, pageOfDeliveries } from './delivery-queries.ts'
import { findEndpoint } from './endpoint-queries.ts'
import {
  addEndpoint,
  changeEndpoint,
  removeEndpoint,
  rotateEndpoint,
  testEndpoint,
  type WithSecret,
} from './endpoint-verbs.ts'
import { readFeed } from './feed.ts'
import { presentDelivery, presentDetail, presentEndpoint } from './present.ts'
import { replay, resend } from './replay-verbs.ts'
import { listEndpoints } from './upsert-endpoints.ts'

const withSecret = ({ clock }: Context, { row, secret }: WithSecret) => ({
  ...presentEndpoint(row, clock.now()),
  secret,
})

export const webhookHandlers: Handlers<typeof webhooks> = {
  endpoints: async (ctx) => ({ data: await listEndpoints(ctx) }),
  add: async (ctx, { body }) => withSecret(ctx, await addEndpoint(ctx, body)),
  change: async (ctx, { params, body }) => presentEndpoint(await changeEndpoint(ctx, params.id, body), ctx.clock.now()),
  remove: (ctx, { params }) => removeEndpoint(ctx, params.id),
  rotate: async (ctx, { params }) => withSecret(ctx, await rotateEndpoint(ctx, params.id)),
  test: (ctx, { params }) => testEndpoint(ctx, params.id),
  replay: (ctx, { params, body }) => replay(ctx, params.id, body),
  async deliveriesOf(ctx, { params, query }) {
    const { id: endpointId } = await findEndpoint(ctx, params.id)
    return presentPage(query, await pageOfDeliveries(ctx, { ...query, endpointId }), presentDelivery)
  },
  deliveries: async (ctx, { query }) => presentPage(query, await pageOfDeliveries(ctx, query), presentDelivery),
  async delivery(ctx, { params }) {
    const row = await findDelivery(ctx, params.id)
    return presentDetail(row, await attemptsOf(ctx, row.id), ctx.services.config.publicUrl)
  },
  resend: async (ctx, { params }) => presentDelivery(await resend(ctx, params.id)),
  feed: (ctx, { query }) => readFeed(ctx, query),
}
