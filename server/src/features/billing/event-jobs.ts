import { z } from 'zod'
import { noteDispute } from '../../core/billing/dispute.ts'
import { paymentNamed, refundsOf } from '../../core/billing/refund-queries.ts'
import { mailDesk } from '../../core/billing/tell-desk.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/services.ts'
import { askRefund } from './refund-jobs.ts'

const provider = z.enum(['paystack', 'stripe'])

/** A dispute of which a provider told: its events are signed, and there is nothing to ask for. */
const OfDispute = z.strictObject({
  provider,
  reference: z.string().nullable(),
  providerRef: z.string().nullable(),
  dispute: z.enum(['open', 'won', 'lost']),
})
export const disputeTold: Job<z.infer<typeof OfDispute>> = {
  name: 'dispute-told',
  payload: OfDispute,
  retryLimit: 8,
  async run(services, { dispute, ...named }) {
    const payment = await asPipeline(services.pool, ({ tx }) => paymentNamed(tx, named))
    if (payment) await noteDispute(services, payment.company_id, payment.id, dispute)
    else services.log.warn(named, 'a dispute of a payment that is not known here')
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
  retryLimit: 2,
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
