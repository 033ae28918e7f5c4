import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { SavedViews } from '../../platform/db/schema.ts'

export interface ViewRow {
  id: string
  user_id: string
  name: string
  search: Record<string, string>
  columns: Record<string, boolean>
  is_shared: boolean
  by: string
}

const viewsOf = ({
  companyId,
}: Pick<ViewerTx, 'companyId'>) => sql`select v.id, v.user_id, v.name, v.search, v.columns, v.is_shared,
    u.fullname as by
  from saved_views v join users u on u.company_id = v.company_id and u.id = v.user_id
  where v.company_id = ${companyId}`

/** Shared ones of people who are no longer here have gone with them. */
const seenBy = ({ person }: Pick<ViewerTx, 'person'>) =>
  sql`(v.user_id = ${person.id}::int8 or (v.is_shared and u.archived_at is null))`

export const viewsOfScreen = (ctx: ViewerTx, screen: string): Promise<ViewRow[]> =>
  allRows<ViewRow>(ctx.tx)`${viewsOf(ctx)} and ${seenBy(ctx)} and v.screen = ${screen}
    order by v.user_id <> ${ctx.person.id}::int8, lower(v.name), v.id limit 500`

export const findView = (ctx: ViewerTx, id: string): Promise<ViewRow | undefined> =>
  firstRow<ViewRow>(ctx.tx)`${viewsOf(ctx)} and ${seenBy(ctx)} and v.id = ${id}::int8`

/** How many the person has, but for the one that would be replaced. The person's row is locked: two tabs count one after the other. */
export async function countOthers(ctx: ViewerTx, { screen, name }: { screen: string; name: string }): Promise<number> {
  await sql`select from users where company_id = ${ctx.companyId} and id = ${ctx.person.id}::int8 for no key update`.execute(
    ctx.tx,
  )
  const row = await firstRow<{ count: number }>(ctx.tx)`select count(*)::int as count from saved_views
    where company_id = ${ctx.companyId} and user_id = ${ctx.person.id}::int8 and (screen, name) <> (${screen}, ${name})`
  return row?.count ?? 0
}

/** The id of the view, new or replaced. */
export async function upsertView({ tx }: ViewerTx, values: Insertable<SavedViews>): Promise<string> {
  const { search, columns, is_shared } = values
  const row = await tx
    .insertInto('saved_views')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'user_id', 'screen', 'name']).doUpdateSet({ search, columns, is_shared }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function deleteView({ tx, companyId }: ViewerTx, id: string): Promise<void> {
  await tx.deleteFrom('saved_views').where('company_id', '=', companyId).where('id', '=', id).execute()
}
