import { z } from 'zod'
import { askPayment } from '../../core/billing/ask-payment.ts'
import { isSettled, paymentByReference } from '../../core/billing/payment-queries.ts'
import { companyIn } from '../../core/billing/reference.ts'
import { mailDesk } from '../../core/billing/tell-desk.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Paid, PaymentProvider } from '../../platform/payments/provider.ts'
import type { Job, Services } from '../../platform/services.ts'

const lookBackMs = 4 * 86_400_000

/**
 * Every night: goes through what the providers say was paid, settles what was missed, and tells the operator of payments of this installation
 * that it does not know, as after a restore of an older database.
 */
export const reconcilePayments: Job<Record<string, never>> = {
  name: 'reconcile-payments',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '20 3 * * *',
  async run(services) {
    const unknown: string[] = []
    for (const name of ['paystack', 'stripe'] as const) {
      const provider = services.payments.named(name)
      if (provider) unknown.push(...(await unknownOf(services, provider)))
    }
    if (unknown.length === 0) return
    services.log.error({ references: unknown }, 'payments came in that this installation does not know')
    const day = services.clock.now().toISOString().slice(0, 10)
    await mailDesk(services, 'payments came in that it does not know', `payments-unknown:${day}`, [
      'Their references are of this installation, and it has no such payments. That happens after a restore of an older database.',
      { lines: unknown },
      'Look them up in the dashboard of the payment provider. Pay them back there, or grant what was bought: npm run provider -- wallet grant.',
    ])
  },
}

/** Settles the recent payments of a provider that are ours; returns those that we do not know. */
async function unknownOf(services: Services, provider: PaymentProvider): Promise<string[]> {
  const unknown: string[] = []
  for await (const paid of provider.recent(new Date(services.clock.now().getTime() - lookBackMs)))
    if (!(await reconciled(services, paid))) unknown.push(`${paid.reference} (${provider.name} ${paid.providerRef})`)
  return unknown
}

/** False where it is ours, and unknown. */
async function reconciled(services: Services, { reference }: Paid): Promise<boolean> {
  const companyId = companyIn(services.secret, reference)
  if (companyId === null) return true
  const payment = await inTenant(services.pool, companyId, ({ tx }) => paymentByReference({ tx, companyId }, reference))
  if (payment && !isSettled(payment)) await askPayment(services, companyId, payment)
  return payment !== undefined
}
