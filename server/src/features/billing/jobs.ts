import { z } from 'zod'
import { askPayment } from '../../core/billing/ask-payment.ts'
import { chargePayment } from '../../core/billing/charge-payment.ts'
import { isToSend, paymentById, paymentByReference, paymentsToCheck } from '../../core/billing/payment-queries.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'

const maxPerRun = 200
const concurrency = 4

/** A payment of which its provider told something. */
const OfEvent = z.strictObject({ companyId: z.number().int(), reference: z.string() })
export const askOfEvent: Job<z.infer<typeof OfEvent>> = {
  name: 'ask-payment',
  payload: OfEvent,
  retryLimit: 2,
  concurrency,
  async run(services, { companyId, reference }) {
    const payment = await inTenant(services.pool, companyId, ({ tx }) =>
      paymentByReference({ tx, companyId }, reference),
    )
    if (payment) await askPayment(services, companyId, payment)
  },
}

/** Asks for a payment, or charges the saved card of one whose charge nobody has answered for. */
async function sweep(services: Services, companyId: number, id: string): Promise<void> {
  const payment = await inTenant(services.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, id))
  if (!payment) return
  if (isToSend(payment, services.clock.now())) await chargePayment(services, companyId, id)
  else await askPayment(services, companyId, payment)
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
    const failed = ({ company_id: companyId, id }: (typeof due)[number], err: unknown) =>
      services.log.error({ err, companyId, payment: id }, 'a payment could not be looked at')
    await eachApart(due, { concurrency, failed }, ({ company_id: companyId, id }) => sweep(services, companyId, id))
  },
}
