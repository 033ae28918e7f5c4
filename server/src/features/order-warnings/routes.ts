import type { orderWarnings } from '@isotherm/contract/order-warnings.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentWarning } from './present.ts'
import { countLasting, lastingWarnings, warningsOfOrder } from './queries.ts'
import { acknowledge } from './verbs.ts'

export const orderWarningsHandlers: Handlers<typeof orderWarnings> = {
  lasting: async (ctx, { query }) => ({
    data: (await lastingWarnings(ctx, query)).map((row) => presentWarning(ctx, row)),
    meta: metaOf(query, await countLasting(ctx, 'all')),
    open: await countLasting(ctx, 'open'),
  }),
  ofOrder: async (ctx, { params }) => {
    const { id } = await findOrder(ctx, params.id)
    return (await warningsOfOrder(ctx, id)).map((row) => presentWarning(ctx, row))
  },
  acknowledge: async (ctx, { params, body }) =>
    presentWarning(ctx, await acknowledge(ctx, params.id, body.note ?? null)),
}
