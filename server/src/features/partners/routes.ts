import type { partners } from '@isotherm/contract/partners.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { partnersCsv } from './csv.ts'
import { presentPartner } from './present.ts'
import { pageOfPartners } from './queries.ts'
import { addPartner, changePartner, removePartner } from './verbs.ts'

export const partnerHandlers: Handlers<typeof partners> = {
  list: async (ctx, { query }) => presentPage(query, await pageOfPartners(ctx, query), presentPartner),
  exportCsv: (ctx, { query }) => partnersCsv(ctx, query),
  add: async (ctx, { body }) => presentPartner(await addPartner(ctx, body)),
  change: async (ctx, { params, body }) => presentPartner(await changePartner(ctx, params.id, body)),
  remove: (ctx, { params }) => removePartner(ctx, params.id),
}
