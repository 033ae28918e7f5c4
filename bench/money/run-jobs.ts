import { setTimeout as sleep } from 'node:timers/promises'
import { sweepPayments } from '../../server/src/features/billing/jobs.ts'
import { reconcilePayments } from '../../server/src/features/billing/reconcile.ts'
import { renewSubscriptions } from '../../server/src/features/billing/renew-job.ts'
import { topUpWallets } from '../../server/src/features/wallet/top-up.ts'
import { openJobAsker } from '../../server/test/job-asker.ts'
import type { Stage } from '../pipeline/stage.ts'

/** For so long a night's job is waited for: the server is killed in the middle of it, too. */
const nightMs = 300_000

/** Paystack and Stripe. */
const providers = 2

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
    /** The job of each night; resolves once it has gone through to its end. Were the clock to run ahead of it, months would be looked at by nobody. */
    async nightly({ client }: Pick<Stage, 'client'>, now: () => Date) {
      const [asked, until] = [now(), Date.now() + nightMs]
      while (Date.now() < until) {
        await asker.ask(reconcilePayments)
        await sleep(1_000)
        const { rows } = await client.query<{ n: number; first: Date | null }>(
          'select count(*)::int as n, min(done_at) as first from reconciliations',
        )
        if ((rows[0]?.n ?? 0) >= providers && (rows[0]?.first ?? new Date(0)) >= asked) return
      }
      throw new Error('the job of the night did not come to its end')
    },
    async stop() {
      isOver = true
      await asking
      await asker.close()
    },
  }
}
