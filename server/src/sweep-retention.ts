import { z } from 'zod'
import { byRetention, mayForget, settleRetention } from './core/retention/retention.ts'
import {
  companiesWithRetention,
  devicesWithReadingsBefore,
  moveCut,
  type OldDevice,
} from './core/retention/retention-queries.ts'
import { monthsBefore } from './domain/retention.ts'
import { forgetOldReadings } from './pipeline/store/forget-old-readings.ts'
import { writeAudit } from './platform/audit/audit.ts'
import { asPipeline } from './platform/db/transaction.ts'
import { eachApart } from './platform/jobs/each-apart.ts'
import type { Job, Services } from './platform/services.ts'

const perBatch = 2_000
/** So many in one night of one company: the others wait for the next one. */
const maxBatches = 100

/** Every night: announces that readings will go, and deletes those that are older than their company keeps and that nothing holds. */
export const sweepRetention: Job<Record<string, never>> = {
  name: 'sweep-retention',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '20 3 * * *',
  async run(services) {
    const companies = await asPipeline(services.pool, ({ tx }) => companiesWithRetention(tx))
    const failed = (companyId: number, err: unknown) =>
      services.log.error({ err, companyId }, 'the keeping of readings could not be settled')
    await eachApart(companies, { failed }, async (companyId) => {
      await settleRetention(services, companyId)
      const deleted = await forgetOf(services, companyId)
      if (deleted > 0) services.log.info({ companyId, deleted }, 'readings older than their company keeps are deleted')
    })
  },
}

/** Deletes some of what a company does not keep any more; returns how many readings. */
async function forgetOf(services: Services, companyId: number): Promise<number> {
  const now = services.clock.now()
  const { cutAt, devices } = await asPipeline(services.pool, async ({ tx }) => {
    const of = { tx, companyId }
    const cut = await moveCut(of, (months) => monthsBefore(now, months))
    return { cutAt: cut, devices: cut ? await devicesWithReadingsBefore(of, cut) : [] }
  })
  if (!cutAt) return 0
  let [deleted, batches] = [0, 0]
  for (const device of devices)
    for (let n = perBatch; n === perBatch && batches < maxBatches; batches++) {
      n = await forgetSome(services, companyId, device, cutAt)
      deleted += n
    }
  return deleted
}

/** One batch, and the entry of the trail that proves what it was, in one transaction. */
const forgetSome = (services: Services, companyId: number, { id, name }: OldDevice, cutAt: Date) =>
  asPipeline(services.pool, async ({ tx, client }) => {
    if (!(await mayForget({ tx, companyId }, services, cutAt))) return 0
    const gone = await forgetOldReadings(client, { companyId, id }, cutAt, perBatch)
    if (!gone) return 0
    await writeAudit(tx, companyId, byRetention(services.clock.now()), [
      {
        action: 'devices.readingsDeleted',
        target: { kind: 'device', id: String(id), name },
        after: { count: gone.n, from: gone.first.toISOString(), to: gone.last.toISOString(), sha256: gone.sha256 },
      },
    ])
    return gone.n
  })
