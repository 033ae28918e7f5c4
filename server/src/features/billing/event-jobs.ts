import { z } from 'zod'
import { noteDispute } from '../../core/billing/dispute.ts'
import { disputesOpen } from '../../core/billing/dispute-queries.ts'
import { paymentNamed, refundsOf } from '../../core/billing/refund-queries.ts'
import { mailDesk } from '../../core/billing/tell-desk.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import type { ListedDispute } from '../../platform/payments/provider.ts'
import type { Job, Services } from '../../platform/services.ts'
import { askRefund } from './refund-jobs.ts'

const provider = z.enum(['paystack', 'stripe'])

/** A dispute of which a provider told: the event alone proves nothing, the provider is asked how it stands. */
const OfDispute = z.strictObject({ provider, disputeRef: z.string() })
type OfDispute = z.infer<typeof OfDispute>
export const disputeTold: Job<OfDispute> = {
  name: 'dispute-told',
  payload: OfDispute,
  retryLimit: 8,
  run: askDispute,
}

/** Asks the provider for a dispute, and acts on its answer. Outside of any transaction. */
async function askDispute(services: Services, told: OfDispute): Promise<void> {
  const dispute = await services.payments.named(told.provider)?.askDispute(told.disputeRef)
  if (!dispute) return services.log.warn(told, 'the payment provider knows no such dispute')
  if (!(await takeDispute(services, told.provider, { ...dispute, disputeRef: told.disputeRef })))
    services.log.warn(told, 'a dispute of a payment that is not known here')
}

/** Notes a dispute as its provider tells of it; false where its payment is not known here. */
export async function takeDispute(
  services: Services,
  name: OfDispute['provider'],
  { status, disputeRef, money, ...named }: ListedDispute,
): Promise<boolean> {
  const payment = await asPipeline(services.pool, ({ tx }) => paymentNamed(tx, { provider: name, ...named }))
  if (payment) await noteDispute(services, payment.company_id, payment.id, { status, disputeRef, money })
  return payment !== undefined
}

const maxPerRun = 500

/** Every night: asks for the disputes that are open, whose last event may have been lost. */
export const sweepDisputes: Job<Record<string, never>> = {
  name: 'sweep-disputes',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '50 3 * * *',
  async run(services) {
    const open = await asPipeline(services.pool, ({ tx }) => disputesOpen(tx, maxPerRun))
    const failed = (one: OfDispute, err: unknown) =>
      services.log.warn({ err, ...one }, 'a dispute could not be asked for')
    await eachApart(open, { failed }, (one) => askDispute(services, one))
  },
}

/** A refund of which a provider told: ours are asked for. One that was made in the provider's dashboard lacks its credit note. */
const OfRefund = z.strictObject({
  provider,
  reference: z.string().nullable(),
  paymentRef: z.string().nullable(),
  refundRef: z.string().nullable(),
})
export const refundTold: Job<z.infer<typeof OfRefund>> = {
  name: 'refund-told',
  payload: OfRefund,
  retryLimit: mailRetries,
  async run(services, { provider: name, reference, paymentRef, refundRef }) {
    const named = { provider: name, reference, providerRef: paymentRef }
    const payment = await asPipeline(services.pool, ({ tx }) => paymentNamed(tx, named))
    if (!payment) return
    const { company_id: companyId, id } = payment
    const refunds = await asPipeline(services.pool, ({ tx }) => refundsOf(tx, companyId, id))
    const ours = refunds.filter((row) => row.refund_ref === refundRef || row.refund_ref === null)
    for (const row of ours) await askRefund(services, companyId, row.id)
    if (ours.length > 0) return
    await mailDesk(services, 'a refund that it did not ask for', `refund-unknown:${name}:${refundRef}`, [
      'Money was given back in the dashboard of the payment provider. The invoice and what was bought stay as they are until you say so.',
      { lines: [`Company ${companyId}`, `Reference ${reference ?? paymentRef}`, `Refund ${refundRef} at ${name}`] },
      'Issue its credit note: npm run provider -- payments refund --by-hand.',
    ])
  },
}
