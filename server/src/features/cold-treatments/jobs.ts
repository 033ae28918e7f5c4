import { z } from 'zod'
import { lockShipment } from '../../core/shipments/shipment-queries.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'
import { dueTreatments, keepClock, lockFreeTreatment } from './queries.ts'
import { tellOf } from './tell.ts'
import { workOut } from './work-out.ts'

const Payload = z.strictObject({ companyId: z.number().int(), shipmentId: z.string() })
/** Treatments of one run. Those that wait longest come first the next time. */
const perRun = 500

/** Works out a treatment in a transaction of its own and tells of what is new; nothing where somebody else works on it. */
async function workOutOne(services: Services, { companyId, shipmentId }: z.infer<typeof Payload>): Promise<void> {
  const told = await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const ctx = { tx, client, companyId }
    const now = services.clock.now()
    const shipment = await lockShipment(ctx, shipmentId)
    const row = await lockFreeTreatment(ctx, shipmentId)
    if (!row) return null
    const worked = await workOut(ctx, shipment, row, now)
    const told = await tellOf(ctx, { ...worked, shipment, row, now })
    await keepClock(ctx, shipmentId, { clock: worked.clock, told: told.told, now })
    return told
  })
  told?.announce(services.bus)
}

/** Tells of a treatment that a person has just chosen, or of whose gap they have told. */
export const tellTreatment: Job<z.infer<typeof Payload>> = {
  name: 'tell-cold-treatment',
  payload: Payload,
  retryLimit: 3,
  batch: 10,
  run: workOutOne,
}

/** Every five minutes: works out the treatments whose probes have told more, and each once an hour. */
export const sweepTreatments: Job<Record<string, never>> = {
  name: 'sweep-cold-treatments',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '*/5 * * * *',
  async run(services) {
    const due = await asPipeline(services.pool, ({ tx }) => dueTreatments({ tx }, services.clock.now(), perRun))
    // One after the other, so that the event loop and other work have their turns between them.
    const failed = ({ companyId, shipmentId }: (typeof due)[number], err: unknown) =>
      services.log.error({ err, companyId, shipment: shipmentId }, 'a cold treatment could not be worked out')
    await eachApart(due, { failed }, (one) => workOutOne(services, one))
  },
}
