import { maxSavedViews, type NewSavedView } from '@isotherm/contract/saved-views.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { countOthers, deleteView, findView, upsertView, type ViewRow } from './queries.ts'

/** Throws VALIDATION where the person has as many as there may be, and FORBIDDEN where Staff would share one. */
export async function saveView(ctx: Context, input: z.output<typeof NewSavedView>): Promise<ViewRow> {
  const { screen, name, search, columns, isShared } = input
  if (isShared && ctx.person.role === 'staff') throw new AppError('FORBIDDEN')
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
  return orNotFound(await findView(ctx, id))
}

/** Throws NOT_FOUND, and FORBIDDEN for another's view that is shared, but by Admins. */
export async function removeView(ctx: Context, id: string): Promise<void> {
  const view = orNotFound(await findView(ctx, id))
  if (view.user_id !== ctx.person.id && ctx.person.role !== 'admin') throw new AppError('FORBIDDEN')
  await deleteView(ctx, id)
}
