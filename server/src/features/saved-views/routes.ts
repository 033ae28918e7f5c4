import type { SavedView, savedViews } from '@isotherm/contract/saved-views.ts'
import type { Context } from '../../platform/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { type ViewRow, viewsOfScreen } from './queries.ts'
import { removeView, saveView } from './verbs.ts'

const present = (ctx: Context, { id, name, search, columns, is_shared, user_id, by }: ViewRow): SavedView => ({
  ...{ id, name, search, columns, by },
  isShared: is_shared,
  isOwn: user_id === ctx.person.id,
})

export const savedViewHandlers: Handlers<typeof savedViews> = {
  list: async (ctx, { query }) => ({
    data: (await viewsOfScreen(ctx, query.screen)).map((row) => present(ctx, row)),
  }),
  save: async (ctx, { body }) => present(ctx, await saveView(ctx, body)),
  remove: (ctx, { params }) => removeView(ctx, params.id),
}
