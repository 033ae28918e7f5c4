import { sql } from 'kysely'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'

/** Private devices, with each name that they ever had in the trail, and the private groups that the person is no member of. */
export async function privateThings(ctx: Context) {
  const own = sql`company_id = ${ctx.companyId}`
  const devices = await sql<{ id: string; name: string }>`
    with hidden as (select id::text, name from devices where ${own} and visibility = 'private')
    select id, name from hidden
    union select l.target ->> 'id', t.name from audit_log l, unnest(array[l.target ->> 'name', l.before ->> 'name', l.after ->> 'name']) as t (name)
      where l.${own} and l.feature = 'devices' and l.target ->> 'kind' = 'device' and t.name is not null
        and l.target ->> 'id' in (select id from hidden)`.execute(ctx.tx)
  const groups = await sql<{ id: string }>`select o.id::text from groups o where o.${own} and o.visibility = 'private'
    and not exists (select from groups g where g.id = o.id and ${visibleGroupSql(ctx)})`.execute(ctx.tx)
  return { devices: devices.rows, groups: groups.rows }
}
