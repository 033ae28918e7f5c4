import { maxSavedViews, type NewSavedView } from '@isotherm/contract/saved-views.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { countOthers, deleteView, findView, upsertView, type ViewRow } from './queries.ts'

const target = ({ id, name }: ViewRow) => ({ kind: 'savedView', id, name })

/** Throws VALIDATION where the person has as many as there may be. */
export async function saveView(ctx: Context, input: z.output<typeof NewSavedView>): Promise<ViewRow> {
  const { screen, name, search, columns, isShared } = input
  if ((await countOthers(ctx, input)) >= maxSavedViews)
    throw invalidField('name', 'rule.views.tooMany', { limit: maxSavedViews })
  const id = await upsertView(ctx, {
    company_id: ctx.companyId,
    user_id: ctx.person.id,
    screen,
    name,
    search: JSON.stringify(search),
    columns: JSON.stringify(columns),
    is_shared: isShared,
    created_at: ctx.clock.now(),
  })
  const view = orNotFound(await findView(ctx, id))
  ctx.audit({ action: 'savedViews.saved', target: target(view), after: { name } })
  return view
}

/** A shared view belongs to everybody who sees it. Throws NOT_FOUND. */
export async function removeView(ctx: Context, id: string): Promise<void> {
  const view = orNotFound(await findView(ctx, id))
  await deleteView(ctx, id)
  ctx.audit({ action: 'savedViews.removed', target: target(view), before: { name: view.name } })
}
