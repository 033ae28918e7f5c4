import { z } from 'zod'
import { askPayment } from '../../core/billing/ask-payment.ts'
import {
  type PaymentRow,
  paymentById,
  paymentByReference,
  paymentsToCheck,
} from '../../core/billing/payment-queries.ts'
import type { TenantTx } from '../../platform/context.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Job, Services } from '../../platform/services.ts'

const maxPerRun = 200
const atOnce = 4

async function ask(
  services: Services,
  companyId: number,
  find: (of: TenantTx) => Promise<PaymentRow | undefined>,
): Promise<void> {
  const payment = await inTenant(services.pool, companyId, ({ tx }) => find({ tx, companyId }))
  if (payment) await askPayment(services, companyId, payment)
}

/** A payment of which its provider told something. */
const OfEvent = z.strictObject({ companyId: z.number().int(), reference: z.string() })
export const askOfEvent: Job<z.infer<typeof OfEvent>> = {
  name: 'ask-payment',
  payload: OfEvent,
  retryLimit: 2,
  atOnce,
  run: (services, { companyId, reference }) => ask(services, companyId, (of) => paymentByReference(of, reference)),
}

/** Every minute: asks for the payments of which nothing was heard. */
export const sweepPayments: Job<Record<string, never>> = {
  name: 'sweep-payments',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    const due = await asPipeline(services.pool, ({ tx }) => paymentsToCheck(tx, services.clock.now(), maxPerRun))
    // Some at once: a provider that is slow to answer holds each of them up.
    for (let from = 0; from < due.length; from += atOnce)
      await Promise.all(
        due
          .slice(from, from + atOnce)
          .map(({ company_id: companyId, id }) => ask(services, companyId, (of) => paymentById(of, id))),
      )
  },
}
