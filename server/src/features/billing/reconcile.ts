import { z } from 'zod'
import { askPayment } from '../../core/billing/ask-payment.ts'
import { isSettled, paymentByReference } from '../../core/billing/payment-queries.ts'
import { companyIn } from '../../core/billing/reference.ts'
import { mailDesk } from '../../core/billing/tell-desk.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Paid, PaymentProvider } from '../../platform/payments/provider.ts'
import type { Job, Services } from '../../platform/services.ts'
import { takeDispute } from './event-jobs.ts'
import { noteReconciled, reconciledAt } from './reconcile-queries.ts'

const dayMs = 86_400_000
/** Payments of so long before the last look are looked at again: a provider lists some of them late. */
const overlapMs = 4 * dayMs
/** The longest that is looked back, after a server was off or a provider away. */
const longestMs = 90 * dayMs

/**
 * Every night: goes through what the providers say was paid and disputed since the last night that went through to its end, settles and notes what was missed, and tells the operator of payments
 * of this installation that it does not know, as after a restore of an older database.
 */
export const reconcilePayments: Job<Record<string, never>> = {
  name: 'reconcile-payments',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '20 3 * * *',
  async run(services) {
    const unknown: string[] = []
    const troubles: unknown[] = []
    const asked = async (name: 'paystack' | 'stripe') => {
      const provider = services.payments.named(name)
      if (provider) unknown.push(...(await unknownOf(services, provider)))
    }
    await eachApart(['paystack', 'stripe'] as const, { failed: (_, err) => troubles.push(err) }, asked)
    await tellUnknown(services, unknown)
    // The job is tried again.
    if (troubles.length > 0) throw new AggregateError(troubles, 'the payments of a provider could not be listed')
  },
}

async function tellUnknown(services: Services, unknown: string[]): Promise<void> {
  if (unknown.length === 0) return
  services.log.error({ references: unknown }, 'payments came in that this installation does not know')
  const day = services.clock.now().toISOString().slice(0, 10)
  await mailDesk(services, 'payments came in that it does not know', `payments-unknown:${day}`, [
    'Their references are of this installation, and it has no such payments. That happens after a restore of an older database.',
    { lines: unknown },
    'Look them up in the dashboard of the payment provider. Pay them back there, or grant what was bought: npm run provider -- wallet grant.',
  ])
}

/** Settles the recent payments of a provider that are ours, and notes its disputes; returns the payments that we do not know. */
async function unknownOf(services: Services, provider: PaymentProvider): Promise<string[]> {
  const unknown: string[] = []
  const now = services.clock.now()
  const last = (await reconciledAt(services.pool, provider.name)) ?? now
  const since = new Date(Math.max(Math.min(last.getTime(), now.getTime()) - overlapMs, now.getTime() - longestMs))
  for await (const paid of provider.recent(since))
    if (!(await reconciled(services, paid))) unknown.push(`${paid.reference} (${provider.name} ${paid.providerRef})`)
  // After the payments: what is disputed was settled before. Those of other installations are none of ours.
  for await (const dispute of provider.recentDisputes(since)) await takeDispute(services, provider.name, dispute)
  await noteReconciled(services.pool, provider.name, now)
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
