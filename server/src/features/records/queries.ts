import type { RecordQuery, TrackRecord } from '@isotherm/contract/records.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { RecordSignatures } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { heldUntilSql } from '../../platform/devices/excursion-sql.ts'
import { visibleSql } from '../../platform/devices/visible-devices.ts'
import { seesDevicesSql } from '../../platform/groups/visible-groups.ts'
import type { Context } from '../../platform/http/context.ts'
import { groupIsGoneSql, type RecordRow, visibleRecordSql } from './record-visibility.ts'

export type SignatureRow = Selectable<RecordSignatures>

export interface CountedRecord extends RecordRow {
  group_name: string | null
  group_gone: boolean
  devices: number
  excursions: number
}

/** Whether a person sees devices of a record `r` at all: those of a group's by the group. */
const seesMembersSql = (ctx: Context) => sql`(r.group_id is null or ${seesDevicesSql(ctx, 'r')})`

/** Devices and excursions a person may see of a record `r`, so far. */
const countsSql = (ctx: Context) => sql`
  (select name from groups g where g.company_id = r.company_id and g.id = r.group_id) as group_name,
  ${groupIsGoneSql} as group_gone,
  case when not ${seesMembersSql(ctx)} then 0 when r.group_id is not null and r.state = 'planned'
    then (select count(*)::int from group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = r.company_id and m.group_id = r.group_id and d.decommissioned_at is null and ${visibleSql(ctx)})
    else (select count(*)::int from record_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = r.company_id and m.record_id = r.id and ${visibleSql(ctx)}) end as devices,
  (select count(*)::int from record_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    join excursions e on e.company_id = d.company_id and e.device_id = d.id
    where m.company_id = r.company_id and m.record_id = r.id and ${visibleSql(ctx)} and ${seesMembersSql(ctx)}
      and r.state <> 'planned'
      and e.start_at <= least(coalesce(r.end_at, ${ctx.clock.now()}), ${ctx.clock.now()})
      and (e.start_at >= r.start_at or ${heldUntilSql} > r.start_at)) as excursions`

const orders: Record<RecordQuery['sort'], RawBuilder<unknown>> = {
  startAt: sql`start_at, id`,
  '-startAt': sql`start_at desc, id desc`,
  name: sql`lower(name), id`,
  '-name': sql`lower(name) desc, id desc`,
}

/** A page of the records of devices, with those of groups that are gone, or of one group's. */
export async function pageOfRecords(ctx: Context, query: RecordQuery, groupId: string | null) {
  const pattern = containing(query.search ?? '')
  const of = groupId === null ? sql`(r.group_id is null or ${groupIsGoneSql})` : sql`r.group_id = ${groupId}::int8`
  const where = sql`${visibleRecordSql(ctx)} and ${of}
    and (${!query.search} or r.name ilike ${pattern} or r.lot ilike ${pattern})
    and ${query.state ? sql`r.state = ${query.state}` : sql`true`}`
  const [found, counted] = await Promise.all([
    sql<CountedRecord>`select r.*, ${countsSql(ctx)} from (select r.* from records r where ${where}
        order by ${orders[query.sort]} limit ${query.perPage} offset ${(query.page - 1) * query.perPage}) r
      order by ${orders[query.sort]}`.execute(ctx.tx),
    sql<{ n: number }>`select count(*)::int as n from records r where ${where}`.execute(ctx.tx),
  ])
  return { rows: found.rows, total: counted.rows[0]?.n ?? 0 }
}

/** A record with its counts; it is there. */
export async function countedRecord(ctx: Context, id: string): Promise<CountedRecord> {
  const { rows } = await sql<CountedRecord>`
    select r.*, ${countsSql(ctx)} from records r where r.company_id = ${ctx.companyId} and r.id = ${id}::int8`.execute(
    ctx.tx,
  )
  const [row] = rows
  if (!row) throw new Error(`record ${id} is gone`)
  return row
}

/** The signatures of records, in the order they were given. */
export const signaturesOf = (ctx: Pick<Context, 'tx' | 'companyId'>, recordIds: string[]): Promise<SignatureRow[]> =>
  ctx.tx
    .selectFrom('record_signatures')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('record_id', 'in', recordIds.length > 0 ? recordIds : ['0'])
    .orderBy('id')
    .execute()

export function presentRecord(row: CountedRecord, signature: TrackRecord['signature']): TrackRecord {
  const destination = row.destination as { geofenceId: string; name: string } | null
  return {
    id: row.id,
    group: row.group_id === null || row.group_gone ? null : { id: row.group_id, name: row.group_name ?? '' },
    formerGroup: row.group_gone ? row.group_name : null,
    name: row.name,
    lot: row.lot,
    state: row.state as TrackRecord['state'],
    startAt: row.start_at.toISOString(),
    endAt: row.end_at?.toISOString() ?? null,
    endedBy: row.ended_by as TrackRecord['endedBy'],
    destination: destination && { geofenceId: destination.geofenceId, name: destination.name },
    deviceCount: row.devices,
    excursions: row.excursions,
    hasBudget: row.budget !== null,
    signature,
    createdBy: row.created_by_name,
    createdAt: row.created_at.toISOString(),
  }
}
