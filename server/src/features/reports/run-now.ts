import { refuseFurtherReport } from '../../core/quotas/waiting-reports.ts'
import { lastPeriod } from '../../domain/report-schedule.ts'
import type { Context } from '../../platform/context.ts'
import type { Job } from '../../platform/services.ts'
import { findRuns, lockReport, type ReportRow, type RunRow } from './queries.ts'
import type { RunJob } from './run-job.ts'
import { insertRun, runUnderWay } from './run-queries.ts'
import { loadReport, targetOf } from './save-report.ts'
import { keyOf, scheduleOf } from './schedule.ts'

/** Runs a report now. While one that was asked for by hand is under way, that is the answer. Throws NOT_FOUND, REPORTS_WAITING or QUOTA_EXCEEDED. */
export async function runNow(ctx: Context, job: Job<RunJob>, id: string): Promise<RunRow> {
  await lockReport(ctx, id)
  const report = await loadReport(ctx, id)
  const underWay = await runUnderWay(ctx, id)
  const runId = underWay?.id ?? (await start(ctx, job, report))
  ctx.audit({ action: 'reports.run', target: targetOf(report), after: { run: runId } })
  const { rows } = await findRuns(ctx, { reportId: id, runId, page: 1, perPage: 1 })
  if (!rows[0]) throw new Error('the run is not there')
  return rows[0]
}

async function start(ctx: Context, job: Job<RunJob>, report: ReportRow) {
  await refuseFurtherReport(ctx)
  const now = ctx.clock.now()
  const period = lastPeriod(scheduleOf(report), now.getTime())
  const { id } = await insertRun(ctx, {
    company_id: ctx.companyId,
    report_id: report.id,
    kind: 'manual',
    period_key: keyOf(report, period),
    period_from: new Date(period.from),
    period_to: new Date(period.to),
    timezone: report.timezone,
    due_at: now,
    state: 'waiting',
    requested_by: ctx.person.fullname,
    requested_by_id: ctx.person.id,
    touched_at: now,
  })
  await ctx.enqueue(job, { companyId: ctx.companyId, runId: id })
  return id
}
