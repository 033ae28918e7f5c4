import { type RawBuilder, sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'

const found = async (ctx: Context, query: RawBuilder<{ id: string }>): Promise<ReadonlySet<string>> =>
  new Set((await query.execute(ctx.tx)).rows.map(({ id }) => id))

/** Those of these devices that the person may choose. */
export const devicesAmong = (ctx: Context, ids: readonly number[]) =>
  found(
    ctx,
    sql`select d.id::text as id from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null and ${ctx.can('devices.view')}::bool
      and d.id = any(${ids}::int4[])`,
  )

/** Those of these groups that the person may choose. */
export const groupsAmong = (ctx: Context, ids: readonly string[]) =>
  found(
    ctx,
    sql`select g.id::text as id from groups g where ${visibleGroupSql(ctx)} and ${ctx.can('groups.view')}::bool
      and g.id = any(${ids}::int8[])`,
  )
