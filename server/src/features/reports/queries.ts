import { cadences, type NewReportRecipient, type ReportQuery } from '@isotherm/contract/reports.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { seesAllOfSql } from '../../core/devices/visible-devices.ts'
import { seesPrivate, vouchesSql } from '../../core/visibility/visibility.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { countFilters, firstRow, orderOf, pageOfRows, valuesOf } from '../../platform/db/rows.ts'
import type { ReportRuns, Reports } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { faultsSql, faultySql } from './faults-sql.ts'
import { visibleReportSql } from './visible-sql.ts'

interface Named {
  id: string
  name: string
}

export interface ReportRow extends Selectable<Reports> {
  devices: Named[]
  groups: Named[]
  faults: string[]
  recipients: { user_id: string | null; name: string | null; email: string; hears_private: boolean }[]
  private_devices: Named[]
  private_device_count: number
  last_run: { id: string; state: string; progress: number; due_at: string } | null
}

/** Names of private devices that are listed. */
const maxAuditNames = 50

// Nobody but Admins sees a report that names a private device; that a group of it has one is for them only, too.
const privateDevicesSql = (ctx: Pick<Context, 'person'>) => sql`
  from devices d where ${seesPrivate(ctx.person)}::bool and d.company_id = r.company_id and d.visibility = 'private'
    and d.decommissioned_at is null and d.id in (
      select coalesce(x.device_id, g.device_id) from report_targets x
      left join group_devices g on g.company_id = x.company_id and g.group_id = x.group_id
      where x.company_id = r.company_id and x.report_id = r.id)`

const details = (ctx: Pick<Context, 'person'>) => sql`
  ${faultsSql} as faults,
  (select coalesce(json_agg(json_build_object('id', d.id::text, 'name', d.name) order by lower(d.name), d.id), '[]')
    from report_targets x join devices d on d.company_id = x.company_id and d.id = x.device_id
    where x.company_id = r.company_id and x.report_id = r.id) as devices,
  (select coalesce(json_agg(json_build_object('id', g.id::text, 'name', g.name) order by lower(g.name), g.id), '[]')
    from report_targets x join groups g on g.company_id = x.company_id and g.id = x.group_id
    where x.company_id = r.company_id and x.report_id = r.id and g.archived_at is null) as groups,
  (select coalesce(json_agg(json_build_object('user_id', u.id::text, 'name', u.fullname, 'email', coalesce(u.email, x.address),
      'hears_private', coalesce(u.role = 'admin', ${vouchesSql('v')}, false)) order by u.fullname nulls last, x.address), '[]')
    from report_recipients x left join users u on u.company_id = x.company_id and u.id = x.user_id
      left join users v on v.company_id = x.company_id and v.id = x.named_by
    where x.company_id = r.company_id and x.report_id = r.id and (x.user_id is null or u.archived_at is null)) as recipients,
  (select coalesce(json_agg(json_build_object('id', id::text, 'name', name) order by lower(name)), '[]')
    from (select d.id, d.name ${privateDevicesSql(ctx)} order by lower(d.name) limit ${maxAuditNames}) as named) as private_devices,
  (select count(*)::int ${privateDevicesSql(ctx)}) as private_device_count,
  (select json_build_object('id', n.id::text, 'state', n.state, 'progress', n.progress, 'due_at', n.due_at)
    from report_runs n where n.company_id = r.company_id and n.report_id = r.id
    order by n.due_at desc, n.id desc limit 1) as last_run`

const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(r.name)`,
  nextRun: sql`r.next_run_at`,
  createdAt: sql`r.created_at`,
}

export function reportCounts(ctx: Context, query: ReportQuery) {
  const found = sql.join(searched(ctx, query), sql` and `)
  return countFilters(ctx.tx, sql`reports r where ${found}`, {
    cadence: { options: valuesOf('r.cadence', cadences), chosen: query.cadence },
    state: { options: stateSql, chosen: query.state },
  })
}

const stateSql = { active: sql`r.next_run_at is not null`, paused: sql`r.next_run_at is null` }
const searched = (ctx: Context, query: ReportQuery): RawBuilder<unknown>[] => [
  visibleReportSql(ctx),
  ...(query.search ? [sql`r.name ilike ${containing(query.search)}`] : []),
  ...(query.faulty ? [faultySql] : []),
]

/** One page of the reports the person may see, and how many there are in all. */
export async function listReports(ctx: Context, query: ReportQuery): Promise<{ rows: ReportRow[]; total: number }> {
  const conditions = searched(ctx, query)
  if (query.cadence) conditions.push(sql`r.cadence = ${query.cadence}`)
  if (query.state) conditions.push(stateSql[query.state])
  return pageOfRows<ReportRow>(ctx.tx, query, {
    columns: sql`r.*`,
    from: sql`reports r where ${sql.join(conditions, sql` and `)}`,
    order: sql`${orderOf(orders, query.sort)} nulls last, r.id`,
    rest: { of: 'r', columns: details(ctx) },
  })
}

/** A report the person may see. */
export const findReport = (ctx: Context, id: string): Promise<ReportRow | undefined> =>
  firstRow<ReportRow>(ctx.tx)`select r.*, ${details(ctx)} from reports r
    where ${visibleReportSql(ctx)} and r.id = ${id}::int8`

/** The keys of the latest periods that a report ran for by the clock. */
export async function latestPeriodKeys({ tx, companyId }: Context, id: string): Promise<Set<string>> {
  const made = await tx
    .selectFrom('report_runs')
    .select('period_key')
    .where('company_id', '=', companyId)
    .where('report_id', '=', id)
    .where('kind', '=', 'scheduled')
    .orderBy('due_at', 'desc')
    .limit(10)
    .execute()
  return new Set(made.map(({ period_key }) => period_key))
}

export const insertReport = ({ tx }: Context, values: Insertable<Reports>) =>
  tx.insertInto('reports').values(values).returning('id').executeTakeFirstOrThrow()

export const updateReport = ({ tx, companyId }: Context, id: string, values: Updateable<Reports>) =>
  tx.updateTable('reports').set(values).where('company_id', '=', companyId).where('id', '=', id).execute()

/** Deletes the reports that tell of a sample device alone. */
export const archiveSampleReports = ({ tx, companyId }: TenantTx, deviceId: number, now: Date) =>
  sql`update reports r set archived_at = ${now}, next_run_at = null
    where r.company_id = ${companyId} and r.archived_at is null
      and exists (select from report_targets x where x.company_id = r.company_id and x.report_id = r.id and x.device_id = ${deviceId})
      and not exists (select from report_targets x where x.company_id = r.company_id and x.report_id = r.id
        and x.device_id is distinct from ${deviceId})`.execute(tx)

/** Locks it against other changes, and against its sweep, until the transaction ends. */
export const lockReport = (ctx: Context, id: string) =>
  sql`select id from reports where company_id = ${ctx.companyId} and id = ${id}::int8 for no key update`.execute(ctx.tx)

export async function replaceTargets(ctx: Context, id: string, devices: readonly string[], groups: readonly string[]) {
  await sql`delete from report_targets where company_id = ${ctx.companyId} and report_id = ${id}::int8`.execute(ctx.tx)
  await sql`insert into report_targets (company_id, report_id, device_id, group_id)
    select distinct ${ctx.companyId}::int4, ${id}::int8, device_id, null::int8 from unnest(${devices}::int4[]) as t (device_id)
    union select ${ctx.companyId}::int4, ${id}::int8, null, group_id from unnest(${groups}::int8[]) as t (group_id)`.execute(
    ctx.tx,
  )
}

/**
 * A recipient who is named twice gets one mail. An address that stands keeps who named it, whoever saves: an Admin who changes something else
 * does not vouch for what somebody else named, unless they say so.
 */
export async function replaceRecipients(ctx: Context, id: string, recipients: readonly NewReportRecipient[]) {
  const known = await ctx.tx
    .selectFrom('report_recipients')
    .select(['address', 'named_by'])
    .where('company_id', '=', ctx.companyId)
    .where('report_id', '=', id)
    .where('address', 'is not', null)
    .execute()
  const namers = new Map(known.map(({ address, named_by }) => [address, named_by]))
  const vouched = new Set(recipients.flatMap((each) => ('email' in each && each.vouched ? each.email : [])))
  const namedBy = (address: string) => {
    const namer = namers.get(address)
    return namer === undefined || vouched.has(address) ? ctx.person.id : namer
  }
  await sql`delete from report_recipients where company_id = ${ctx.companyId} and report_id = ${id}::int8`.execute(
    ctx.tx,
  )
  const people = recipients.flatMap((each) => ('userId' in each ? [each.userId] : []))
  const addresses = [...new Set(recipients.flatMap((each) => ('email' in each ? each.email : [])))]
  await sql`insert into report_recipients (company_id, report_id, user_id, address, named_by)
    select distinct ${ctx.companyId}::int4, ${id}::int8, user_id, null, null::int8 from unnest(${people}::int8[]) as t (user_id)
    union select ${ctx.companyId}::int4, ${id}::int8, null, address, named_by
      from unnest(${addresses}::text[], ${addresses.map(namedBy)}::int8[]) as t (address, named_by)`.execute(ctx.tx)
}

export interface FileRow {
  id: string
  report_key: string
  file_name: string
  format: string
  size_bytes: string
  file_sha256: string
  file_key: string | null
  removed_at: string | null
}

export interface RunRow extends Selectable<ReportRuns> {
  files: FileRow[]
  mails: { sent: number; total: number }
  /** Whether the person sees every device that its files tell of now. */
  sees_all: boolean
}

/** A page of the runs of a report, newest first, or one of them. */
export async function findRuns(
  ctx: Context,
  wanted: { reportId: string; runId?: string; page: number; perPage: number },
): Promise<{ rows: RunRow[]; total: number }> {
  const one = wanted.runId === undefined ? sql`true` : sql`n.id = ${wanted.runId}::int8`
  return pageOfRows<RunRow>(ctx.tx, wanted, {
    columns: sql`n.*, ${seesAllOfSql(ctx, 'n')} as sees_all,
      (select coalesce(json_agg(json_build_object('id', f.id::text, 'report_key', f.report_key, 'file_name', f.file_name,
          'format', f.format, 'size_bytes', f.size_bytes::text, 'file_sha256', encode(f.file_sha256, 'hex'),
          'file_key', f.file_key, 'removed_at', f.removed_at) order by f.id), '[]')
        from report_files f where f.company_id = n.company_id and f.run_id = n.id) as files,
      (select json_build_object('sent', count(m.sent_at), 'total', count(*)) from report_mails m
        where m.company_id = n.company_id and m.run_id = n.id) as mails`,
    from: sql`report_runs n where n.company_id = ${ctx.companyId} and n.report_id = ${wanted.reportId}::int8 and ${one}`,
    order: sql`n.due_at desc, n.id desc`,
  })
}
