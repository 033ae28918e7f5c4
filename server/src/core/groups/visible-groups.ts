import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context, ViewerTx } from '../../platform/context.ts'
import type { Groups } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { visibleSql } from '../devices/visible-devices.ts'
import { findWorst, type Worst } from '../devices/worst-queries.ts'
import { seesPrivate } from '../visibility/visibility.ts'

export type GroupRow = Selectable<Groups>

/** The groups a person may see, as a condition over `groups g`: public ones, and those they are a member of. */
export const visibleGroupSql = ({ companyId, person }: Pick<Context, 'companyId' | 'person'>): RawBuilder<boolean> =>
  seesPrivate(person)
    ? sql<boolean>`g.company_id = ${companyId} and g.archived_at is null`
    : sql<boolean>`g.company_id = ${companyId} and g.archived_at is null and (g.visibility = 'public' or exists
        (select from group_users u where u.company_id = g.company_id and u.group_id = g.id and u.user_id = ${person.id}::int8))`

/** A group the person may see; throws NOT_FOUND for any other. */
export async function findGroup(ctx: ViewerTx, id: string, { lock = false } = {}): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`
    select g.* from groups g where ${visibleGroupSql(ctx)} and g.id = ${id}::int8
    ${lock ? sql`for no key update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw new AppError('NOT_FOUND')
  return rows[0]
}

type Seer = Pick<Context, 'companyId' | 'person' | 'can'>

/**
 * Whether a person sees the devices of the group of a row (default: `group_devices m`): its members do, whatever else their role lets them
 * see; others by their role. Private devices are for Admins, here as anywhere.
 */
export const seesDevicesSql = ({ companyId, person, can }: Seer, row = 'm'): RawBuilder<boolean> =>
  can('devices.view')
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from group_users o
        where o.company_id = ${companyId} and o.group_id = ${sql.raw(`${row}.group_id`)} and o.user_id = ${person.id}::int8)`

/** The devices of a group that the person sees in it, as rows over `group_devices m` and `devices d`. */
export const memberDevicesSql = (ctx: Seer, groupId: string) => sql`
  group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
  where m.company_id = ${ctx.companyId} and m.group_id = ${groupId}::int8 and d.decommissioned_at is null and ${visibleSql(ctx)}
    and ${seesDevicesSql(ctx)}`

/**
 * Whether a member `m` of a group, device `d`, counts in what is told of the group as a whole: made-up readings are no evidence, so a
 * sample device counts where no real one does. Plain text, for statements that are no kysely queries.
 */
export const countsInGroupText = `(d.sample_until is null or not exists (select from group_devices o
  join devices e on e.company_id = o.company_id and e.id = o.device_id where o.company_id = m.company_id
  and o.group_id = m.group_id and e.sample_until is null and e.decommissioned_at is null))`

/** Those of `memberDevicesSql` that count in charts, totals and reports of the group. */
export const countedDevicesSql = (ctx: Seer, groupId: string) =>
  sql`${memberDevicesSql(ctx, groupId)} and ${sql.raw(countsInGroupText)}`

/** The ids of the devices in a group the person may see, as a set for `in`: what a list filters by. */
export const groupDevicesSql = (ctx: Pick<Context, 'companyId' | 'person'>, groupId: string) => sql`(
  select m.device_id from group_devices m join groups g on g.company_id = m.company_id and g.id = m.group_id
  where ${visibleGroupSql(ctx)} and m.group_id = ${groupId}::int8)`

/** Them, in their order of urgency. */
export const worstMembers = (ctx: ViewerTx & Seer & Pick<Context, 'clock'>, groupId: string): Promise<Worst> =>
  findWorst(ctx, sql`d.id in (select d.id from ${memberDevicesSql(ctx, groupId)})`, null)

/** Their ids. */
export async function memberDevices(ctx: ViewerTx & Seer, groupId: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select d.id from ${memberDevicesSql(ctx, groupId)} order by d.id`.execute(
    ctx.tx,
  )
  return rows.map(({ id }) => id)
}
