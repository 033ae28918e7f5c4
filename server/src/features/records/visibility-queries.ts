import { type RawBuilder, sql } from 'kysely'
import { countsFromText } from '../../core/devices/joining-sql.ts'
import { countsInGroupText, seesDevicesSql, visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { PermittedViewer, TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { InRecord } from './record-window.ts'

/** Whether the group of a record `r` was deleted. */
export const groupIsGoneSql = sql<boolean>`exists (select from groups g
  where g.company_id = r.company_id and g.id = r.group_id and g.archived_at is not null)`

/**
 * The records a person may see, as a condition over `records r`: those of which they may see every device, and those of
 * groups they may see (whose private devices are left out for them), whichever call asks. Those of a group that was deleted
 * since are evidence all the same: they are as if its devices had been chosen by hand; a private group's are for Admins.
 */
export const visibleRecordSql = (ctx: Omit<PermittedViewer, 'tx'>): RawBuilder<boolean> => sql<boolean>`
  r.company_id = ${ctx.companyId} and r.archived_at is null and case when r.group_id is not null and not ${groupIsGoneSql}
    then ${ctx.can('groups.view') || ctx.can('groups.addOrEdit')} and exists (select from groups g where ${visibleGroupSql(ctx)} and g.id = r.group_id)
    else ${
      seesPrivate(ctx.person)
        ? sql`true`
        : sql`not exists (select from record_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
            where m.company_id = r.company_id and m.record_id = r.id and d.visibility = 'private')
          and not exists (select from groups g where g.company_id = r.company_id and g.id = r.group_id and g.visibility = 'private')`
    } end`

export interface FoundRecord extends RecordRow {
  group_gone: boolean
}

/** A record the person may see; locked, where asked, until the transaction ends. */
export const findVisible = (
  ctx: PermittedViewer,
  id: string,
  { lock = false } = {},
): Promise<FoundRecord | undefined> =>
  firstRow<FoundRecord>(ctx.tx)`
    select r.*, ${groupIsGoneSql} as group_gone from records r where ${visibleRecordSql(ctx)} and r.id = ${id}::int8
    ${lock ? sql`for no key update of r` : sql``}`

/** Whether the person sees a record. */
export const seesRecord = async (ctx: PermittedViewer, id: string): Promise<boolean> =>
  (await findVisible(ctx, id)) !== undefined

export interface MemberRow extends InRecord {
  id: number
  name: string
  visibility: string
  decommissioned_at: Date | null
}

/** The devices of a record, by name: of a group's record that has not begun, the group's devices of now. */
export async function membersOf(ctx: TenantTx, record: RecordRow): Promise<MemberRow[]> {
  const isOpen = record.group_id !== null && record.state === 'planned'
  const from = isOpen
    ? sql`group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
        where m.group_id = ${record.group_id}::int8 and d.decommissioned_at is null and ${sql.raw(countsInGroupText)}`
    : sql`record_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
        where m.record_id = ${record.id}::int8`
  const times = isOpen
    ? sql`null::timestamptz as joined_at, null::timestamptz as left_at, null::timestamptz as counts_from`
    : sql`m.joined_at, m.left_at, ${sql.raw(countsFromText)} as counts_from`
  return allRows<MemberRow>(ctx.tx)`
    select d.id, d.name, d.visibility, d.decommissioned_at, ${times} from ${from} and m.company_id = ${ctx.companyId}
    order by lower(d.name), d.id`
}

/**
 * Whether the person sees all that these devices measured in these records: none of the devices is hidden from them, and each record
 * is theirs to see.
 */
export async function seesAllOf(
  ctx: PermittedViewer,
  recordIds: readonly string[],
  deviceIds: readonly number[],
): Promise<boolean> {
  if (seesPrivate(ctx.person)) return true
  const { rows } = await sql<{ sees: boolean }>`
    select not exists (select from devices d where d.company_id = ${ctx.companyId} and d.id = any(${deviceIds}::int4[])
        and d.visibility = 'private')
      and (select count(*) from records r where ${visibleRecordSql(ctx)} and r.id = any(${recordIds}::int8[])
        and (r.group_id is null or ${seesDevicesSql(ctx, 'r')})) = ${recordIds.length} as sees`.execute(ctx.tx)
  return rows[0]?.sees === true
}

/** Whether the person is a member of a group. */
export async function isGroupMember(ctx: PermittedViewer, groupId: string): Promise<boolean> {
  const { rows } = await sql`select from group_users
    where company_id = ${ctx.companyId} and group_id = ${groupId}::int8 and user_id = ${ctx.person.id}::int8`.execute(
    ctx.tx,
  )
  return rows.length > 0
}
