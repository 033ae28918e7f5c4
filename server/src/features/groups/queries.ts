import type { GroupQuery } from '@isotherm/contract/groups.ts'
import type { Paging } from '@isotherm/contract/paging.ts'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { openExcursionsSql } from '../../core/devices/excursion-sql.ts'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import {
  countedDevicesSql,
  type GroupRow,
  memberDevicesSql,
  seesDevicesSql,
  visibleGroupSql,
} from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { allRows, firstRow, orderOf, pageOfRows } from '../../platform/db/rows.ts'
import type { Groups } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { maxRows } from '../../platform/http/list-csv.ts'

export interface CountedGroup extends GroupRow {
  devices: number
  out_of_range: number
  users: number
}

const deviceCountSql = (ctx: Context) => sql`
  (select count(*)::int from group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = g.company_id and m.group_id = g.id and d.decommissioned_at is null and ${visibleSql(ctx)} and ${seesDevicesSql(ctx)}) as devices`

const otherCountsSql = (ctx: Context) => sql`
  (select count(distinct e.device_id)::int from group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    join ${openExcursionsSql(ctx.clock.now())} e on e.company_id = d.company_id and e.device_id = d.id
    where m.company_id = g.company_id and m.group_id = g.id and d.decommissioned_at is null and ${visibleSql(ctx)} and ${seesDevicesSql(ctx)}) as out_of_range,
  (select count(*)::int from group_users m join users u on u.company_id = m.company_id and u.id = m.user_id
    where m.company_id = g.company_id and m.group_id = g.id and u.archived_at is null) as users`

const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(name)`,
  createdAt: sql`created_at`,
  devices: sql`devices`,
}

const searched = (column: string, search: string | undefined): RawBuilder<boolean> =>
  search ? sql<boolean>`${sql.raw(column)} ilike ${containing(search)}` : sql<boolean>`true`

export function listGroups(ctx: Context, query: GroupQuery) {
  const isByDevices = query.sort.endsWith('devices')
  return pageOfRows<CountedGroup>(ctx.tx, query, {
    columns: isByDevices ? sql`g.*, ${deviceCountSql(ctx)}` : sql`g.*`,
    from: sql`groups g where ${visibleGroupSql(ctx)} and ${searched('g.name', query.search)}`,
    order: sql`${orderOf(orders, query.sort)}, id`,
    rest: { of: 'g', columns: isByDevices ? otherCountsSql(ctx) : sql`${deviceCountSql(ctx)}, ${otherCountsSql(ctx)}` },
  })
}

/** A group with its counts, as the person sees it; undefined where they see none. */
export const countedGroup = (ctx: Context, id: string): Promise<CountedGroup | undefined> =>
  firstRow<CountedGroup>(ctx.tx)`
    select g.*, ${deviceCountSql(ctx)}, ${otherCountsSql(ctx)} from groups g where ${visibleGroupSql(ctx)} and g.id = ${id}::int8`

/** Whether another group of the company has this name. */
export async function isNameTaken(ctx: Context, name: string, except: string | null): Promise<boolean> {
  const { rows } = await sql`select from groups where company_id = ${ctx.companyId} and lower(name) = lower(${name})
    and archived_at is null and id is distinct from ${except}::int8`.execute(ctx.tx)
  return rows.length > 0
}

/** Locks the company's row: of two who choose one name at once the second sees the first. */
export const lockNames = (ctx: Context) =>
  ctx.tx.selectFrom('companies').select('name').where('company_id', '=', ctx.companyId).forNoKeyUpdate().execute()

export const insertGroup = (ctx: Context, row: Insertable<Groups>): Promise<GroupRow> =>
  ctx.tx.insertInto('groups').values(row).returningAll().executeTakeFirstOrThrow()

export const updateGroup = (ctx: Context, id: string, change: Updateable<Groups>): Promise<GroupRow> =>
  ctx.tx
    .updateTable('groups')
    .set(change)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteMembers(ctx: Context, groupId: string): Promise<void> {
  for (const table of ['group_devices', 'group_users'] as const)
    await ctx.tx.deleteFrom(table).where('company_id', '=', ctx.companyId).where('group_id', '=', groupId).execute()
  await noteCompany(ctx)
}

/** A page of the ids of a group's devices, by name. */
export async function pageOfDevices(ctx: Context, groupId: string, paging: Paging) {
  const { search } = paging
  const { rows, total } = await pageOfRows<{ id: number }>(ctx.tx, paging, {
    columns: sql`d.id`,
    from: sql`${memberDevicesSql(ctx, groupId)} and (${searched('d.name', search)} or ${searched('d.tag', search)})`,
    order: sql`lower(d.name), d.id`,
  })
  return { ids: rows.map(({ id }) => id), total }
}

/** The ids of the devices that a report of the group tells of, by name. */
export async function countedDevices(ctx: Context, groupId: string): Promise<number[]> {
  const rows = await allRows<{ id: number }>(ctx.tx)`
    select d.id from ${countedDevicesSql(ctx, groupId)} order by lower(d.name), d.id limit ${maxRows}`
  return rows.map(({ id }) => id)
}

export interface MemberRow {
  id: string
  fullname: string
  email: string
  role: 'admin' | 'manager' | 'staff'
  added_at: Date
}

const membersSql = (ctx: Context, groupId: string) => sql`group_users m
  join users u on u.company_id = m.company_id and u.id = m.user_id
  where m.company_id = ${ctx.companyId} and m.group_id = ${groupId}::int8 and u.archived_at is null`
const memberColumns = sql`u.id, u.fullname, u.email, u.role, m.added_at`

export const pageOfUsers = (ctx: Context, groupId: string, paging: Paging) =>
  pageOfRows<MemberRow>(ctx.tx, paging, {
    columns: memberColumns,
    from: sql`${membersSql(ctx, groupId)} and (${searched('u.fullname', paging.search)}
      or ${ctx.can('users.view') ? searched('u.email', paging.search) : sql`false`})`,
    order: sql`lower(u.fullname), u.id`,
  })

export const findMember = (ctx: Context, groupId: string, userId: string): Promise<MemberRow | undefined> =>
  firstRow<MemberRow>(ctx.tx)`
    select ${memberColumns} from ${membersSql(ctx, groupId)} and u.id = ${userId}::int8`
