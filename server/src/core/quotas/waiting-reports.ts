import { sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { locksOfCompany } from '../../platform/db/advisory-locks.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { refuseOverQuota } from './quotas.ts'

const retryAfterS = 60
/** One that was asked for longer ago is lost: it keeps nobody from asking again. */
const lostAfterMs = 6 * 3_600_000

/**
 * Throws where no further report may be asked for now: REPORTS_WAITING (too many of the person or the company are not built
 * yet), QUOTA_EXCEEDED (its files are full) or STORAGE_LOW. Call it in the transaction that adds the report, before.
 */
export async function refuseFurtherReport(ctx: Context): Promise<void> {
  const { config, disk } = ctx.services
  await disk.refuseLow()
  await refuseOverQuota(ctx, 'fileMb', 0)
  await sql`select pg_advisory_xact_lock(${locksOfCompany.waitingReports}::int4, ${ctx.companyId}::int4)`.execute(
    ctx.tx,
  )
  const since = new Date(ctx.clock.now().getTime() - lostAfterMs)
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*) filter (where by = ${ctx.person.id}::int8)::int as own, count(*)::int as all from (
      select requested_by as by from device_reports
        where company_id = ${ctx.companyId} and state in ('waiting', 'building') and created_at > ${since}
      union all select requested_by from group_reports
        where company_id = ${ctx.companyId} and state in ('waiting', 'building') and created_at > ${since}
      union all select requested_by from order_claims
        where company_id = ${ctx.companyId} and state in ('waiting', 'building') and created_at > ${since}
      union all select requested_by from cold_treatment_records
        where company_id = ${ctx.companyId} and state in ('waiting', 'building') and created_at > ${since}
      union all select requested_by from shipment_reports
        where company_id = ${ctx.companyId} and state in ('waiting', 'building') and created_at > ${since}
      union all select requested_by_id from report_runs
        where company_id = ${ctx.companyId} and kind = 'manual' and state in ('waiting', 'building')
          and touched_at > ${since}) as waiting`.execute(ctx.tx)
  const { own = 0, all = 0 } = rows[0] ?? {}
  const { person, company } = config.reportsWaiting
  if (own >= person || all >= company) {
    const waiting = own >= person ? own : all
    throw new AppError('REPORTS_WAITING', { waiting, seconds: retryAfterS }, retryAfterS)
  }
}
