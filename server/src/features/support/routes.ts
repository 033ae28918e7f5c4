import type { support } from '@isotherm/contract/support.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { readFeatures } from './features.ts'
import { presentRequest } from './present.ts'
import { pageOfRequests } from './queries.ts'
import { readStore } from './store.ts'
import { ask, askFeature, askToBuy } from './verbs.ts'

export const supportHandlers: Handlers<typeof support> = {
  ask: async (ctx, { body }) => presentRequest(ctx, await ask(ctx, 'support', body)),
  suggest: async (ctx, { body }) => presentRequest(ctx, await ask(ctx, 'suggestion', body)),
  requests: async (ctx, { query }) =>
    presentPage(query, await pageOfRequests(ctx, query), (row) => presentRequest(ctx, row)),
  features: readFeatures,
  async askFeature(ctx, { body: { module, description } }) {
    await askFeature(ctx, module, description)
    return orNotFound((await readFeatures(ctx)).find((feature) => feature.module === module))
  },
  store: async (ctx) => ({ items: await readStore(ctx) }),
  askToBuy: async (ctx, { body }) => presentRequest(ctx, await askToBuy(ctx, body)),
}
