import type { Period } from '@isotherm/contract/common.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { seesAllOfSql, tellsOfPrivateSql, visibleSql } from '../../core/devices/visible-devices.ts'
import type { PermittedViewer, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { DeviceReports } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seesAlarmsOfSql } from '../../reporting/contents-sql.ts'

export type ReportRow = Selectable<DeviceReports>

export const insertReport = ({ tx }: ViewerTx, values: Insertable<DeviceReports>): Promise<ReportRow> =>
  tx.insertInto('device_reports').values(values).returningAll().executeTakeFirstOrThrow()

/** A report of a device the person may see; undefined for any other. */
export const findReport = (ctx: PermittedViewer, id: string): Promise<ReportRow | undefined> =>
  firstRow<ReportRow>(ctx.tx)`
    select r.* from device_reports r join devices d on d.company_id = r.company_id and d.id = r.device_id
    where r.company_id = ${ctx.companyId} and ${visibleSql(ctx)} and ${seesAlarmsOfSql(ctx, 'r')} and r.id = ${id}`

/** Whether the person sees every device and alarm that a report tells of now. */
export async function seesIssue(ctx: PermittedViewer, id: string): Promise<boolean> {
  const { rows } = await sql`select from device_reports r
    where r.company_id = ${ctx.companyId} and r.id = ${id}::int8 and ${seesAllOfSql(ctx, 'r')} and ${seesAlarmsOfSql(ctx, 'r')}`.execute(
    ctx.tx,
  )
  return rows.length > 0
}

/** The reports of a record that tell of no device the person does not see now, newest first. */
export const reportsOfRecord = (ctx: PermittedViewer, recordId: string, most: number): Promise<ReportRow[]> =>
  allRows<ReportRow>(ctx.tx)`select r.* from device_reports r
    where r.company_id = ${ctx.companyId} and r.record_id = ${recordId}::int8 and ${seesAllOfSql(ctx, 'r')}
      and ${seesAlarmsOfSql(ctx, 'r')}
    order by r.created_at desc, r.id desc limit ${most}`

/** A report of a record; undefined where there is none, or it tells of a device that the person does not see now. */
export const findOfRecord = (
  ctx: PermittedViewer,
  id: string,
): Promise<(ReportRow & { record_id: string }) | undefined> =>
  firstRow<ReportRow & { record_id: string }>(ctx.tx)`select r.* from device_reports r
    where r.company_id = ${ctx.companyId} and r.id = ${id}::int8 and r.record_id is not null
      and ${seesAllOfSql(ctx, 'r')} and ${seesAlarmsOfSql(ctx, 'r')}`

/** A page of the reports of the devices the person may see, newest first. */
export async function listReports(
  ctx: PermittedViewer,
  wanted: { deviceId: number | undefined; page: number; perPage: number },
): Promise<{ rows: ReportRow[]; total: number }> {
  const of = wanted.deviceId === undefined ? sql`true` : sql`r.device_id = ${wanted.deviceId}`
  return pageOfRows<ReportRow>(ctx.tx, wanted, {
    columns: sql`r.*`,
    from: sql`device_reports r join devices d on d.company_id = r.company_id and d.id = r.device_id
      where r.company_id = ${ctx.companyId} and ${visibleSql(ctx)} and ${seesAlarmsOfSql(ctx, 'r')} and ${of}`,
    order: sql`r.created_at desc, r.id`,
  })
}

/** The company of the report of a key; `tx` of role `pipeline`. */
export async function companyOfKey(tx: Tx, key: string): Promise<number | undefined> {
  const query = tx.selectFrom('device_reports').select('company_id').where('report_key', '=', key)
  return (await query.executeTakeFirst())?.company_id
}

/** The report of a key, as its public page tells it: without its hardware while a device of it is private. */
export async function findByKey(tx: Tx, companyId: number, key: string): Promise<ReportRow | undefined> {
  const found = await firstRow<ReportRow & { isPrivate: boolean }>(tx)`
    select r.*, coalesce(${tellsOfPrivateSql('r')}, true) as "isPrivate" from device_reports r
    where r.company_id = ${companyId} and r.report_key = ${key}`
  return found && { ...found, imeis: found.isPrivate ? [] : found.imeis }
}

/** Hardware that measured for the device; instants in ms, `to` null while it still does. */
export interface Hardware {
  imei: string
  probe: number
  from: number
  to: number | null
}

/** The hardware that measured for a device in a period, in its order. */
export async function hardwareOf(ctx: ViewerTx, deviceId: number, period: Period): Promise<Hardware[]> {
  const rows = await ctx.tx
    .selectFrom('assignments')
    .select(['imei', 'probe', 'valid_from', 'valid_to'])
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('valid_from', '<=', new Date(period.to))
    .where((where) => where.or([where('valid_to', 'is', null), where('valid_to', '>', new Date(period.from))]))
    .orderBy('valid_from')
    .execute()
  return rows.map(({ imei, probe, valid_from, valid_to }) => ({
    imei,
    probe,
    from: Number(valid_from),
    to: valid_to === null ? null : Number(valid_to),
  }))
}

/** An earlier report of the same device and period, and what has come or changed since. Instants in ms. */
export interface EarlierIssue {
  key: string
  issuedAt: number
  issuedBy: string
  format: string
  dataSha256: string
  /** Readings of the period that arrived since. */
  arrived: number
  /** Excursions of the period that were found or amended since. */
  changed: number
}

// More than these say no more.
const maxIssues = 5

/** The latest earlier issues, newest first. */
export const earlierIssues = (ctx: ViewerTx, row: ReportRow): Promise<EarlierIssue[]> =>
  allRows<EarlierIssue>(ctx.tx)`
    select r.report_key as key, (extract(epoch from r.data_as_of) * 1000)::float8 as "issuedAt", r.requested_by_name as "issuedBy", r.format,
      encode(r.data_sha256, 'hex') as "dataSha256",
      (select count(*)::int from readings m where m.company_id = r.company_id and m.device_id = r.device_id
        and m.measured_at >= r.period_from and m.measured_at <= r.period_to and m.received_at > r.data_as_of) as arrived,
      (select count(*)::int from excursions e where e.company_id = r.company_id and e.device_id = r.device_id
        and e.start_at <= r.period_to and coalesce(e.end_at, e.last_at) >= r.period_from
        and greatest(e.recorded_at, e.amended_at) > r.data_as_of) as changed
    from device_reports r
    where r.company_id = ${ctx.companyId} and r.device_id = ${row.device_id} and r.period_from = ${row.period_from}
      and r.period_to = ${row.period_to} and r.state = 'ready' and r.id <> ${row.id}
    order by r.data_as_of desc limit ${maxIssues}`

/** The files of the reports of a sample device and of its records. As pipeline. */
export async function filesOfSampleReports(tx: Tx, companyId: number, deviceId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select file_key as key from device_reports r where company_id = ${companyId} and file_key is not null
      and (device_id = ${deviceId} or exists (select from record_devices m where m.company_id = r.company_id
        and m.record_id = r.record_id and m.device_id = ${deviceId}))`.execute(tx)
  return rows.map(({ key }) => key)
}
