import { z } from 'zod'
import { majorText } from '../../domain/money.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import type { Job } from '../../platform/services.ts'
import { paymentById } from './payment-queries.ts'
import { mailDesk } from './tell-desk.ts'

const OfDispute = z.strictObject({
  companyId: z.number().int(),
  paymentId: z.string(),
  dispute: z.enum(['open', 'won', 'lost']),
  /** The provider's id of the dispute. Jobs of before have none. */
  disputeRef: z.string().optional(),
  /** So much of it, in minor units. Jobs of before have none. */
  disputed: z.number().int().optional(),
})

/** Mails the operator that a payment is disputed, and how that ended. */
export const tellOfDispute: Job<z.infer<typeof OfDispute>> = {
  name: 'payment-disputed',
  payload: OfDispute,
  retryLimit: mailRetries,
  async run(services, { companyId, paymentId, dispute, disputeRef, disputed }) {
    const payment = await inTenant(services.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, paymentId))
    if (!payment) return
    const { reference, provider, amount, currency } = payment
    const sum = `${majorText(disputed ?? Number(amount), currency)} ${currency}`
    const key = [`payment-disputed-${dispute}`, companyId, paymentId, ...(disputeRef ? [disputeRef] : [])].join(':')
    await mailDesk(services, `a dispute is ${dispute} (${reference})`, key, [
      'The bank of the payer disputes a payment. Nothing that was bought is cut meanwhile.',
      {
        lines: [
          ...[`Company ${companyId}`, `Reference ${reference} at ${provider}`],
          ...(disputeRef ? [`Dispute ${disputeRef}`] : []),
          ...[`Amount ${sum}`, `It is ${dispute}`],
        ],
      },
      dispute === 'open'
        ? 'Answer it in the dashboard of the payment provider.'
        : dispute === 'lost'
          ? 'The money is gone. A credit note was issued for it, as far as the invoice was not taken back before.'
          : 'The money stays.',
    ])
  },
}
