import { setTimeout as sleep } from 'node:timers/promises'
import { sweepPayments } from '../../server/src/features/billing/jobs.ts'
import { reconcilePayments } from '../../server/src/features/billing/reconcile.ts'
import { renewSubscriptions } from '../../server/src/features/billing/renew-job.ts'
import { topUpWallets } from '../../server/src/features/wallet/top-up.ts'
import { openJobAsker } from '../../server/test/job-asker.ts'

/** Jobs of every minute: a minute of the moved clock is a second. */
const everyMinute = [sweepPayments, renewSubscriptions, topUpWallets]

/** Asks the server for its jobs as often as its moved clock wants them, until it is stopped. */
export async function runJobs(databaseUrl: string) {
  const asker = await openJobAsker(databaseUrl)
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      for (const job of everyMinute) await asker.ask(job)
      await sleep(1_000)
    }
  })()
  return {
    /** The job of each night. */
    nightly: () => asker.ask(reconcilePayments),
    async stop() {
      isOver = true
      await asking
      await asker.close()
    },
  }
}
