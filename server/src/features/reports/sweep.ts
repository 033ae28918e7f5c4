import { z } from 'zod'
import { runsDue } from '../../domain/report-schedule.ts'
import { asPipeline, type Transaction, type Tx } from '../../platform/db/transaction.ts'
import type { Job, Services } from '../../platform/services.ts'
import { maxAttempts } from './build-run.ts'
import { failureMail } from './failure-mail.ts'
import type { RunJob } from './run-job.ts'
import { keyOf, scheduleOf } from './schedule.ts'
import {
  type DueReport,
  failStalled,
  insertScheduledRuns,
  leaveRole,
  lockDueReports,
  setNextRun,
  wakeStalled,
} from './sweep-queries.ts'

const maxPerSweep = 50
const minuteMs = 60_000
/** A builder says that it lives every half minute: one silent for so long was killed. */
export const deadAfterMs = 5 * minuteMs

/**
 * Every minute: makes the runs that are due. Run, next time and job are one transaction, and a run exists once per report and
 * period: whenever a server is killed, and however many sweep, each comes once. Of several periods missed while the server
 * was down only the latest is made up for; the others are kept as skipped.
 */
export const sweepReports = (build: Job<RunJob>): Job<Record<string, never>> => ({
  name: 'sweep-reports',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '* * * * *',
  async run(services) {
    while ((await asPipeline(services.pool, (transaction) => makeRuns(services, transaction, build))) === maxPerSweep);
    await asPipeline(services.pool, (transaction) => wakeRuns(services, transaction, build))
  },
})

async function makeRuns(services: Services, { tx, client }: Transaction, build: Job<RunJob>): Promise<number> {
  const now = services.clock.now()
  const reports = await lockDueReports(tx, now, maxPerSweep)
  const waiting: RunJob[] = []
  for (const report of reports) waiting.push(...(await makeRunsOf(services, tx, report, now)))
  await enqueueAll(services, { tx, client }, build, waiting)
  return reports.length
}

/** A report whose times cannot be worked out keeps no other one waiting: it is looked at again an hour later, and goes on from there. */
function timesOf({ log }: Services, report: DueReport, now: Date): ReturnType<typeof runsDue> {
  try {
    return runsDue(scheduleOf(report), report.next_run_at.getTime(), now.getTime())
  } catch (err) {
    log.error({ err, companyId: report.company_id, report: report.id }, 'the times of a report could not be worked out')
    return { due: [], next: now.getTime() + 60 * minuteMs }
  }
}

async function makeRunsOf(services: Services, tx: Tx, report: DueReport, now: Date): Promise<RunJob[]> {
  const { due, next } = timesOf(services, report, now)
  const latest = due.at(-1)
  await setNextRun(tx, report, new Date(next))
  if (!latest) return []
  const made = await insertScheduledRuns(
    tx,
    due.map((run) => ({
      company_id: report.company_id,
      report_id: report.id,
      kind: 'scheduled',
      period_key: keyOf(report, run.period),
      period_from: new Date(run.period.from),
      period_to: new Date(run.period.to),
      timezone: report.timezone,
      due_at: new Date(run.at),
      state: run === latest ? 'waiting' : 'skipped',
      touched_at: now,
      finished_at: run === latest ? null : now,
    })),
  )
  return made.filter(({ state }) => state === 'waiting').map(({ id }) => ({ companyId: report.company_id, runId: id }))
}

/** Runs whose builder was killed, or whose job is lost, are begun again; those that were begun too often have failed. */
async function wakeRuns(services: Services, { tx, client }: Transaction, build: Job<RunJob>): Promise<void> {
  const now = services.clock.now()
  const dead = new Date(now.getTime() - deadAfterMs)
  const forgotten = new Date(now.getTime() - 60 * minuteMs)
  const failed = await failStalled(tx, { dead, forgotten }, maxAttempts, now)
  const woken = await wakeStalled(tx, { dead, forgotten }, now)
  const jobOf = ({ company_id, id }: { company_id: number; id: string }) => ({ companyId: company_id, runId: id })
  await enqueueAll(services, { tx, client }, build, woken.map(jobOf))
  const mailed = failed.filter(({ kind }) => kind === 'scheduled').map(jobOf)
  await enqueueAll(services, { tx, client }, failureMail, mailed)
}

/** The last thing in the transaction: the queue belongs to the login role. */
async function enqueueAll(services: Services, { tx, client }: Transaction, job: Job<RunJob>, payloads: RunJob[]) {
  if (payloads.length === 0) return
  await leaveRole(tx)
  for (const payload of payloads) await services.enqueue(client, job, payload)
}
