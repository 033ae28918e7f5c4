import { type Insertable, type Selectable, sql } from 'kysely'
import type { ReportRuns, Reports } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

// All of role `pipeline`: a sweep is of every company.

export type DueReport = Selectable<Reports> & { next_run_at: Date }

/** Reports that are due, locked; those that another sweep holds are left out. */
export const lockDueReports = async (tx: Tx, now: Date, most: number): Promise<DueReport[]> =>
  (await tx
    .selectFrom('reports')
    .selectAll()
    .where('next_run_at', '<=', now)
    .where('archived_at', 'is', null)
    .orderBy('next_run_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()) as DueReport[]

export const setNextRun = (tx: Tx, { company_id, id }: DueReport, next: Date) =>
  tx
    .updateTable('reports')
    .set({ next_run_at: next })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()

/** Those made: a run by the clock exists once per report and period. */
export const insertScheduledRuns = (tx: Tx, runs: Insertable<ReportRuns>[]) =>
  tx
    .insertInto('report_runs')
    .values(runs)
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'report_id', 'period_key']).where('kind', '=', sql.lit('scheduled')).doNothing(),
    )
    .returning(['id', 'state'])
    .execute()

/** Runs whose builder was silent since `dead`, or whose job is lost since `forgotten`. */
interface Stalled {
  dead: Date
  forgotten: Date
}
const stalledSql = ({ dead, forgotten }: Stalled) =>
  sql<boolean>`((state = 'building' and touched_at < ${dead}) or (state = 'waiting' and touched_at < ${forgotten}))`

export const failStalled = (tx: Tx, stalled: Stalled, maxAttempts: number, now: Date) =>
  tx
    .updateTable('report_runs')
    .set({ state: 'failed', failure: 'broken', finished_at: now })
    .where(stalledSql(stalled))
    .where('attempts', '>=', maxAttempts)
    .returning(['company_id', 'id', 'kind'])
    .execute()

export const wakeStalled = (tx: Tx, stalled: Stalled, now: Date) =>
  tx
    .updateTable('report_runs')
    .set({ state: 'waiting', touched_at: now })
    .where(stalledSql(stalled))
    .returning(['company_id', 'id'])
    .execute()

/** Leaves the role of the sweep until the transaction ends: the queue belongs to the login. */
export const leaveRole = (tx: Tx) => sql`set local role none`.execute(tx)
