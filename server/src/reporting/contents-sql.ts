import { type RawBuilder, sql } from 'kysely'
import { seesPrivate } from '../core/visibility/visibility.ts'
import type { Context } from '../platform/context.ts'

/** Whether the person may see the alarms that an issued report tells of now, as a condition over it. */
export const seesAlarmsOfSql = (ctx: Pick<Context, 'person' | 'can'>, row: string): RawBuilder<boolean> => {
  const [contents, ids, company] = ['contents', 'alarm_ids', 'company_id'].map((name) => sql.raw(`${row}.${name}`))
  if (!ctx.can('alarms.view')) return sql<boolean>`not 'alarms' = any(${contents})`
  if (seesPrivate(ctx.person)) return sql<boolean>`true`
  return sql<boolean>`not exists (select from alarms told
    where told.company_id = ${company} and told.id = any(${ids}) and told.visibility = 'private')`
}
