import { type Insertable, sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { seesDevicesSql, visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { ReportFiles, ReportRuns } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { RunJob, RunRow } from './run-job.ts'
import type { DeviceOverview } from './writer/order.ts'

export type RunChange = Partial<Omit<RunRow, 'company_id' | 'id'>>

/** Changes a run that its builder holds, at this attempt; undefined when it was taken from it meanwhile. */
export const changeRun = (tx: Tx, { companyId, runId }: RunJob, attempts: number, values: RunChange) =>
  tx
    .updateTable('report_runs')
    .set(values)
    .where('company_id', '=', companyId)
    .where('id', '=', runId)
    .where('state', '=', 'building')
    .where('attempts', '=', attempts)
    .returning('kind')
    .executeTakeFirst()

/** Takes a run that waits: only one builder can. */
export const claimRun = (tx: Tx, { companyId, runId }: RunJob, now: Date): Promise<RunRow | undefined> =>
  tx
    .updateTable('report_runs')
    .set((of) => ({ state: 'building', progress: 0, attempts: of('attempts', '+', 1), touched_at: now }))
    .where('company_id', '=', companyId)
    .where('id', '=', runId)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst()

/** The run that was asked for by hand and is under way. */
export const runUnderWay = ({ tx, companyId }: Context, reportId: string) =>
  tx
    .selectFrom('report_runs')
    .select('id')
    .where('company_id', '=', companyId)
    .where('report_id', '=', reportId)
    .where('kind', '=', 'manual')
    .where('state', 'in', ['waiting', 'building'])
    .executeTakeFirst()

export const insertRun = ({ tx }: Context, values: Insertable<ReportRuns>) =>
  tx.insertInto('report_runs').values(values).returning('id').executeTakeFirstOrThrow()

/** The report of a run, unless it is deleted. */
export const reportOfRun = (tx: Tx, { company_id, report_id }: RunRow) =>
  tx
    .selectFrom('reports')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('id', '=', report_id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()

export interface RunDevice extends Omit<DeviceOverview, 'stats'> {}

/**
 * The devices a run tells of, by name: those named and those of its groups that its owner may see and were in use; the sample device,
 * whose readings are made up, only where it is alone.
 */
export const devicesOfRun = (ctx: Context, run: RunRow, most: number): Promise<RunDevice[]> =>
  allRows<RunDevice>(ctx.tx)`
    with told as (
      select d.* from devices d where ${visibleSql(ctx)} and (d.decommissioned_at is null or d.decommissioned_at > ${run.period_from})
        and d.id in (
          select x.device_id from report_targets x
            where x.company_id = ${ctx.companyId} and x.report_id = ${run.report_id}::int8 and x.device_id is not null
              and ${ctx.can('devices.view')}::bool
          union select m.device_id from report_targets x
            join groups g on g.company_id = x.company_id and g.id = x.group_id
            join group_devices m on m.company_id = g.company_id and m.group_id = g.id
            where x.company_id = ${ctx.companyId} and x.report_id = ${run.report_id}::int8
              and ${visibleGroupSql(ctx)} and ${seesDevicesSql(ctx)}))
    select d.id::text as id, d.name, d.tag, d.type, d.visibility = 'private' as "isPrivate",
      (select coalesce(array_agg(distinct a.imei), '{}') from assignments a where a.company_id = d.company_id and a.device_id = d.id
        and a.valid_from < ${run.period_to} and (a.valid_to is null or a.valid_to > ${run.period_from})) as imeis
    from told d where d.sample_until is null or not exists (select from told o where o.sample_until is null)
    order by lower(d.name), d.id limit ${most}`

export const insertFiles = (tx: Tx, files: Insertable<ReportFiles>[]) =>
  tx.insertInto('report_files').values(files).execute()

/** The mails of a run, one to each address; resolves with their ids. `locale` is of addresses that are of no person. */
export async function insertMails(tx: Tx, run: RunRow, locale: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into report_mails (company_id, run_id, address, name, locale)
    select distinct on (coalesce(u.email, x.address)) x.company_id, ${run.id}::int8, coalesce(u.email, x.address), u.fullname,
      coalesce(u.locale, ${locale})
    from report_recipients x left join users u on u.company_id = x.company_id and u.id = x.user_id
    where x.company_id = ${run.company_id} and x.report_id = ${run.report_id}::int8 and (x.user_id is null or u.archived_at is null)
    order by coalesce(u.email, x.address), u.id nulls last
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The company of the file of a key; `tx` of role `pipeline`. */
export async function companyOfFile(tx: Tx, key: string): Promise<number | undefined> {
  const query = tx.selectFrom('report_files').select('company_id').where('report_key', '=', key)
  return (await query.executeTakeFirst())?.company_id
}

/** The file of a key, with its run. */
export const fileByKey = (tx: Tx, companyId: number, key: string) =>
  tx
    .selectFrom('report_files as f')
    .innerJoin('report_runs as n', (on) => on.onRef('n.company_id', '=', 'f.company_id').onRef('n.id', '=', 'f.run_id'))
    .selectAll('f')
    .select(['n.period_from', 'n.period_to', 'n.timezone', 'n.data_as_of', 'n.devices', 'n.readings'])
    .where('f.company_id', '=', companyId)
    .where('f.report_key', '=', key)
    .executeTakeFirstOrThrow()
