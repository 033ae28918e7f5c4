import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { NamedDevice } from '../../core/groups/member-queries.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, countRows } from '../../platform/db/rows.ts'

/** The tables of members; a device or a person that is in the group already stays as it is. */
type Table = 'group_devices' | 'group_users'

export const countMembers = (ctx: TenantTx, table: Table, groupId: string): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from ${sql.table(table)}
    where company_id = ${ctx.companyId} and group_id = ${groupId}::int8`

/** How many of these devices are in use and may be seen by the person. */
export const countUsable = (ctx: Context, ids: readonly number[]): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from devices d
    where ${visibleSql(ctx)} and d.id = any(${ids}::int4[]) and d.decommissioned_at is null`

/** The names of those of these people who are in the company. */
export async function namesOfUsers(ctx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ fullname: string }>`select fullname from users
    where company_id = ${ctx.companyId} and archived_at is null and id = any(${ids}::int8[])`.execute(ctx.tx)
  return rows.map(({ fullname }) => fullname)
}

export const insertUsers = (ctx: Context, groupId: string, ids: readonly string[]) =>
  sql`insert into group_users (company_id, group_id, user_id, added_at)
    select ${ctx.companyId}, ${groupId}::int8, id, ${ctx.clock.now()} from unnest(${ids}::int8[]) as id
    on conflict do nothing`.execute(ctx.tx)

/** The ids of all devices in a group, also of those that the person does not see. */
export async function allInside(ctx: TenantTx, groupId: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select device_id as id from group_devices
    where company_id = ${ctx.companyId} and group_id = ${groupId}::int8`.execute(ctx.tx)
  return rows.map(({ id }) => id)
}

/** The first devices of these, by name. */
export const namesOfDevices = (ctx: TenantTx, ids: readonly number[], limit: number): Promise<NamedDevice[]> =>
  allRows<NamedDevice>(ctx.tx)`select id::text, name from devices
    where company_id = ${ctx.companyId} and id = any(${ids}::int4[]) order by lower(name) limit ${limit}`

/** Takes people out; returns the names of those who were in it. */
export async function deleteUsers(ctx: TenantTx, groupId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ fullname: string }>`
    with gone as (delete from group_users where company_id = ${ctx.companyId} and group_id = ${groupId}::int8
      and user_id = any(${ids}::int8[]) returning user_id)
    select u.fullname from gone join users u on u.company_id = ${ctx.companyId} and u.id = gone.user_id
    order by u.fullname`.execute(ctx.tx)
  return rows.map(({ fullname }) => fullname)
}
