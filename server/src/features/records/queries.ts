import type { Period } from '@isotherm/contract/common.ts'
import { type RecordQuery, recordStates } from '@isotherm/contract/records.ts'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { lastsIntoSql } from '../../core/devices/excursion-sql.ts'
import { countsInRecordText, inRecordUntilText } from '../../core/devices/record-windows.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { countsInGroupText, seesDevicesSql } from '../../core/groups/visible-groups.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, countFilters, firstRow, valuesOf } from '../../platform/db/rows.ts'
import type { RecordSignatures } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { groupIsGoneSql, visibleRecordSql } from './visibility-queries.ts'

export type SignatureRow = Selectable<RecordSignatures>

export interface CountedRecord extends RecordRow {
  group_name: string | null
  group_gone: boolean
  devices: number
  excursions: number
  order_id: string | null
  order_code: string | null
}

/** Whether a person sees devices of a record `r` at all: those of a group's by the group. */
const seesMembersSql = (ctx: Context) => sql`(r.group_id is null or ${seesDevicesSql(ctx, 'r')})`

const orderOfSql = (column: 'id' | 'tracking_code') =>
  sql`(select ${sql.ref(`o.${column}`)} from orders o where o.company_id = r.company_id and o.record_id = r.id)`

/** Devices and excursions a person may see of a record `r`, so far. */
const countsSql = (ctx: Context) => sql`
  (select name from groups g where g.company_id = r.company_id and g.id = r.group_id) as group_name,
  ${groupIsGoneSql} as group_gone, ${orderOfSql('id')} as order_id, ${orderOfSql('tracking_code')} as order_code,
  case when not ${seesMembersSql(ctx)} then 0 when r.group_id is not null and r.state = 'planned'
    then (select count(*)::int from group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = r.company_id and m.group_id = r.group_id and d.decommissioned_at is null and ${visibleSql(ctx)}
        and ${sql.raw(countsInGroupText)})
    else (select count(*)::int from record_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
      where m.company_id = r.company_id and m.record_id = r.id and ${visibleSql(ctx)}) end as devices,
  (select coalesce(sum(x.n), 0)::int from (select m.company_id, m.device_id, ${sql.raw(countsInRecordText)} as since,
      least(${sql.raw(inRecordUntilText)}, ${ctx.clock.now()}) as until
    from record_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = r.company_id and m.record_id = r.id and ${visibleSql(ctx)} and ${seesMembersSql(ctx)}
      and r.state <> 'planned' offset 0) c
    cross join lateral (select count(*) as n from excursions e where e.company_id = c.company_id and e.device_id = c.device_id
      and e.start_at <= c.until and ${lastsIntoSql(sql<Date>`c.since`)}) x) as excursions`

const orders: Record<RecordQuery['sort'], RawBuilder<unknown>> = {
  startAt: sql`start_at, id`,
  '-startAt': sql`start_at desc, id desc`,
  name: sql`lower(name), id`,
  '-name': sql`lower(name) desc, id desc`,
}

/** The records `r` of devices, or of one group, that the search leaves. */
function foundSql(ctx: Context, { search }: Pick<RecordQuery, 'search'>, groupId: string | null) {
  const pattern = containing(search ?? '')
  const of = groupId === null ? sql`(r.group_id is null or ${groupIsGoneSql})` : sql`r.group_id = ${groupId}::int8`
  return sql`${visibleRecordSql(ctx)} and ${of} and (${!search} or r.name ilike ${pattern} or r.lot ilike ${pattern})`
}

export const recordCounts = (ctx: Context, query: RecordQuery, groupId: string | null) =>
  countFilters(ctx.tx, sql`records r where ${foundSql(ctx, query, groupId)}`, {
    state: { options: valuesOf('r.state', recordStates), chosen: query.state },
  })

/** A page of the records of devices, with those of groups that are gone, or of one group's. */
export async function pageOfRecords(ctx: Context, query: RecordQuery, groupId: string | null) {
  const where = sql`${foundSql(ctx, query, groupId)} and ${query.state ? sql`r.state = ${query.state}` : sql`true`}`
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
  const row = await firstRow<CountedRecord>(ctx.tx)`
    select r.*, ${countsSql(ctx)} from records r where r.company_id = ${ctx.companyId} and r.id = ${id}::int8`
  if (!row) throw new Error(`record ${id} is gone`)
  return row
}

/** The signatures of records, in the order they were given. */
export const signaturesOf = (ctx: TenantTx, recordIds: string[]): Promise<SignatureRow[]> =>
  ctx.tx
    .selectFrom('record_signatures')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('record_id', 'in', recordIds.length > 0 ? recordIds : ['0'])
    .orderBy('id')
    .execute()

export const insertSignature = (ctx: TenantTx, row: Insertable<RecordSignatures>): Promise<SignatureRow> =>
  ctx.tx.insertInto('record_signatures').values(row).returningAll().executeTakeFirstOrThrow()

/** When the person last entered a wrong password to sign, the latest first. */
export async function refusedSignatures(ctx: Context, since: Date, limit: number): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`select at from audit_log where company_id = ${ctx.companyId}
    and at > ${since} and action = 'records.signatureRefused'
    and actor ->> 'id' = ${ctx.person.id} order by at desc limit ${limit}`.execute(ctx.tx)
  return rows.map(({ at }) => at)
}

/** The devices in use of a group, locked until the transaction ends. */
export async function lockGroupDevices(ctx: TenantTx, groupId: string): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, d.name from group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = ${ctx.companyId} and m.group_id = ${groupId}::int8 and d.decommissioned_at is null
      and ${sql.raw(countsInGroupText)}
    order by d.id for no key update of d`.execute(ctx.tx)
  return rows
}

/** The tracking code of the order that a record belongs to; undefined: none. */
export const codeOfOrder = async ({ tx, companyId }: TenantTx, id: string): Promise<string | undefined> =>
  (
    await firstRow<{ code: string }>(tx)`
      select tracking_code as code from orders where company_id = ${companyId} and record_id = ${id}::int8`
  )?.code

/** The number of the shipment that a record belongs to; undefined: none. */
export const numberOfShipment = async ({ tx, companyId }: TenantTx, id: string): Promise<number | undefined> =>
  (
    await firstRow<{ number: number }>(tx)`
      select number from shipments where company_id = ${companyId} and record_id = ${id}::int8`
  )?.number

export const findFence = (ctx: TenantTx, id: string) =>
  ctx.tx
    .selectFrom('geofences')
    .select(['id', 'name', 'area'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst()

/** A record as others may overlap it. */
export interface Overlapping {
  name: string
  lot: string | null
  startAt: Date
  /** Null: it has no end. */
  endAt: Date | null
  /** The record itself, where it is kept already. */
  id?: string
}

/** A record of the same name or lot that has one of the devices at the same time, at best one that the person sees with it. */
export const findOverlap = (
  ctx: Context,
  { id, name, lot, startAt, endAt }: Overlapping,
  deviceIds: readonly number[],
) =>
  firstRow<{ name: string; device: string; isSeen: boolean }>(ctx.tx)`
    select r.name, d.name as device, (${visibleSql(ctx)} and ${visibleRecordSql(ctx)}) as "isSeen" from records r
    join record_devices m on m.company_id = r.company_id and m.record_id = r.id
    join devices d on d.company_id = m.company_id and d.id = m.device_id
    where r.company_id = ${ctx.companyId} and r.archived_at is null and m.device_id = any(${deviceIds}::int4[])
      and r.id is distinct from ${id ?? null}::int8
      and (lower(r.name) = lower(${name}::text) or lower(r.lot) = lower(${lot}::text))
      and (r.start_at < ${endAt}::timestamptz) is not false and (r.end_at is null or r.end_at > ${startAt})
    order by 3 desc, r.id limit 1`

export interface HardwareRow {
  device_id: number
  imei: string
  probe: number
  valid_from: Date
  valid_to: Date | null
}

/** The hardware of devices within a period. */
export const hardwareOf = (ctx: TenantTx, deviceIds: readonly number[], { from, to }: Period) =>
  allRows<HardwareRow>(ctx.tx)`
    select device_id, imei, probe, valid_from, valid_to from assignments
    where company_id = ${ctx.companyId} and device_id = any(${deviceIds}::int4[])
      and valid_from <= ${to}::timestamptz and (valid_to is null or valid_to > ${from}::timestamptz)
    order by valid_from`

export interface EndsRow {
  id: number
  fixes: number
  first_at: Date
  first_lat: number
  first_lon: number
  last_at: Date
  last_lat: number
  last_lon: number
}

/** The first and the last fix of devices, each within a period of its own, and how many there are; devices without one are left out. */
export async function endsOfPaths(ctx: TenantTx, devices: readonly { id: number; own: Period }[]) {
  const fix = (order: 'asc' | 'desc') => sql`(select measured_at, lat_e7, lon_e7 from readings r
    where r.company_id = ${ctx.companyId} and r.device_id = d.id and r.lat_e7 is not null and r.lon_e7 is not null
      and r.measured_at >= d.since and r.measured_at <= d.until
    order by r.measured_at ${sql.raw(order)} limit 1)`
  return allRows<EndsRow>(ctx.tx)`
    select d.id, f.measured_at as first_at, f.lat_e7 as first_lat, f.lon_e7 as first_lon, l.measured_at as last_at,
      l.lat_e7 as last_lat, l.lon_e7 as last_lon,
      (select count(lat_e7)::int from readings r where r.company_id = ${ctx.companyId} and r.device_id = d.id
        and r.measured_at >= d.since and r.measured_at <= d.until) as fixes
    from unnest(${devices.map(({ id }) => id)}::int4[], ${devices.map(({ own }) => own.from)}::timestamptz[],
      ${devices.map(({ own }) => own.to)}::timestamptz[]) as d (id, since, until)
    cross join lateral ${fix('asc')} as f cross join lateral ${fix('desc')} as l`
}
