import type { ReportRun } from '@isotherm/contract/reports.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { failureMail } from './failure-mail.ts'
import type { RunRow } from './run-job.ts'
import { changeRun } from './run-queries.ts'

/** Ends a run that this builder holds: it cannot be, or was tried too often. */
export async function failRun(
  services: Services,
  run: RunRow,
  failure: NonNullable<ReportRun['failure']>,
): Promise<void> {
  const now = services.clock.now()
  const { company_id: companyId, id: runId } = run
  await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const ended = { state: 'failed', failure, finished_at: now, touched_at: now }
    const failed = await changeRun(tx, { companyId, runId }, run.attempts, ended)
    if (failed?.kind === 'scheduled')
      await withLogin(tx, () => services.enqueue(client, failureMail, { companyId, runId }))
  })
}
