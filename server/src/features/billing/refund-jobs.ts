import { z } from 'zod'
import { nextCheck } from '../../core/billing/next-check.ts'
import { type PaymentRow, paymentById } from '../../core/billing/payment-queries.ts'
import {
  claimRefund,
  type RefundRow,
  refundById,
  refundsToCheck,
  updateRefund,
} from '../../core/billing/refund-queries.ts'
import { mailDesk } from '../../core/billing/tell-desk.ts'
import { majorText } from '../../domain/money.ts'
import { asPipeline, inTenant, withLogin } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import type { RefundTruth } from '../../platform/payments/provider.ts'
import type { Job, Services } from '../../platform/services.ts'

const maxPerRun = 100
/** A refund that nobody can say the end of is asked for so often, for as long as it takes. */
const patientMs = 86_400_000

/** For so long nobody else has a refund made that a provider was told of: it may not be in its list yet. */
const inFlightMs = 120_000

/** Every minute: has the providers give back what is to be given back, and asks how that stands. */
export const sweepRefunds: Job<Record<string, never>> = {
  name: 'sweep-refunds',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    const due = await asPipeline(services.pool, ({ tx }) => refundsToCheck(tx, services.clock.now(), maxPerRun))
    const failed = ({ company_id: companyId, id }: (typeof due)[number], err: unknown) =>
      services.log.error({ err, companyId, refund: id }, 'a refund could not be looked at')
    await eachApart(due, { failed }, ({ company_id: companyId, id }) => askRefund(services, companyId, id))
  },
}

/** Asks for one refund, by its key, so that it is made once however often it is asked for. Outside of any transaction. */
export async function askRefund(services: Services, companyId: number, id: string): Promise<void> {
  const found = await inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const refund = await refundById(of, id)
    const now = services.clock.now()
    const isClaimed = refund?.refund_ref || (await claimRefund(of, id, now, new Date(now.getTime() + inFlightMs)))
    return { refund, isClaimed, payment: refund && (await paymentById(of, refund.payment_id)) }
  })
  const { refund, payment, isClaimed } = found
  if (!refund || !payment || refund.ended_at || !isClaimed) return
  const truth = await truthOf(services, payment, refund).catch((err: unknown) => {
    services.log.warn({ err, companyId, reference: payment.reference }, 'a refund could not be asked for')
    return null
  })
  await keep(services, companyId, refund, truth)
}

function truthOf({ payments }: Services, payment: PaymentRow, refund: RefundRow): Promise<RefundTruth> {
  const provider = payments.named(payment.provider as 'paystack' | 'stripe')
  const { reference, provider_ref: providerRef } = payment
  if (!provider || !providerRef) throw new Error(`${payment.provider} is not configured, or its payment has no id`)
  if (refund.refund_ref) return provider.askRefund(refund.refund_ref)
  const money = { amount: BigInt(refund.amount), currency: refund.currency }
  return provider.refund({ reference, providerRef }, money, `${reference}-r${refund.id}`)
}

/** No answer changes nothing but when it is asked for again: unknown is never failed. */
const keep = (services: Services, companyId: number, refund: RefundRow, truth: RefundTruth | null) =>
  inTenant(services.pool, companyId, async ({ tx, client }) => {
    const now = services.clock.now()
    const checkAt = nextCheck(refund.created_at, now) ?? new Date(now.getTime() + patientMs)
    const isOver = truth?.status === 'success' || truth?.status === 'failed'
    const state = truth?.status === 'success' ? 'succeeded' : truth?.status
    const kept = await updateRefund({ tx, companyId }, refund.id, {
      ...(truth && state ? { state, refund_ref: truth.refundRef ?? refund.refund_ref } : {}),
      ...(truth?.failure ? { failure_text: truth.failure.text } : {}),
      ...(isOver ? { ended_at: now, check_at: null } : { check_at: checkAt }),
    })
    const isNews = kept && kept.state !== refund.state && (kept.state === 'failed' || kept.state === 'attention')
    if (!isNews) return
    services.log.error({ companyId, refund: refund.id, state: kept.state }, 'a refund must be looked at')
    await withLogin(tx, () => services.enqueue(client, tellOfRefund, { companyId, refundId: refund.id }))
  })

const OfRefund = z.strictObject({ companyId: z.number().int(), refundId: z.string() })

/** Mails the operator of a refund that did not go through, or that waits for them. */
export const tellOfRefund: Job<z.infer<typeof OfRefund>> = {
  name: 'refund-troubled',
  payload: OfRefund,
  retryLimit: mailRetries,
  async run(services, { companyId, refundId }) {
    const refund = await inTenant(services.pool, companyId, ({ tx }) => refundById({ tx, companyId }, refundId))
    const payment =
      refund &&
      (await inTenant(services.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, refund.payment_id)))
    if (!refund || !payment) return
    const { amount, currency, state, failure_text: why } = refund
    const hasFailed = state === 'failed'
    const subject = hasFailed ? 'a refund failed' : 'a refund waits for you'
    await mailDesk(services, `${subject} (${payment.reference})`, `refund-${state}:${companyId}:${refundId}`, [
      hasFailed
        ? 'The payment provider could not give the money back. Its credit note stands.'
        : 'The payment provider needs something of you before it can give the money back.',
      {
        lines: [
          `Company ${companyId}`,
          `Reference ${payment.reference} at ${payment.provider}`,
          `Amount ${majorText(Number(amount), currency)} ${currency}`,
          ...(why ? [`Why: ${why}`] : []),
        ],
      },
      hasFailed
        ? 'Pay it back by a transfer from your bank.'
        : 'Open the refund in the dashboard of the payment provider. It is asked for until it ends.',
    ])
  },
}
