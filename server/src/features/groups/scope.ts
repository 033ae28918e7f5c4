import { type RawBuilder, type Selectable, sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'
import type { Groups } from '../../platform/db/schema.ts'
import { visibleSql } from '../../platform/devices/visible-devices.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'

type Scope = Pick<Context, 'tx' | 'companyId' | 'person'>
export type GroupRow = Selectable<Groups>

/** The groups a person may see, as a condition over `groups g`: public ones, and those they are a member of. */
export const visibleGroupSql = ({ companyId, person }: Pick<Context, 'companyId' | 'person'>): RawBuilder<boolean> =>
  seesPrivate(person)
    ? sql<boolean>`g.company_id = ${companyId} and g.archived_at is null`
    : sql<boolean>`g.company_id = ${companyId} and g.archived_at is null and (g.visibility = 'public' or exists
        (select from group_users u where u.company_id = g.company_id and u.group_id = g.id and u.user_id = ${person.id}::int8))`

/** A group the person may see; throws NOT_FOUND for any other. */
export async function findGroup(ctx: Scope, id: string, { lock = false } = {}): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`
    select g.* from groups g where ${visibleGroupSql(ctx)} and g.id = ${id}::int8
    ${lock ? sql`for no key update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw new AppError('NOT_FOUND')
  return rows[0]
}

/** The devices of a group that the person may see, as rows over `group_devices m` and `devices d`. */
export const memberDevicesSql = (ctx: Pick<Context, 'companyId' | 'person'>, groupId: string) => sql`
  group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
  where m.company_id = ${ctx.companyId} and m.group_id = ${groupId}::int8 and d.decommissioned_at is null and ${visibleSql(ctx)}`

/** Their ids. */
export async function memberDevices(ctx: Scope, groupId: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select d.id from ${memberDevicesSql(ctx, groupId)} order by d.id`.execute(
    ctx.tx,
  )
  return rows.map(({ id }) => id)
}
