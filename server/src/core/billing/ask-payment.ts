import { inTenant } from '../../platform/db/transaction.ts'
import type { Truth } from '../../platform/payments/provider.ts'
import { unseen } from '../../platform/payments/truth.ts'
import type { Services } from '../../platform/services.ts'
import { nextCheck } from './next-check.ts'
import { isSettled, lockPayment, type PaymentRow, updatePayment } from './payment-queries.ts'
import { settle } from './settle.ts'

/** Whether nobody waits for it any more. One that failed is asked for only where its provider tells of it, or lists it as paid. */
export const hasEnded = (payment: PaymentRow): boolean => isSettled(payment) || payment.state === 'failed'

/** The provider's id of its payer is known once a card is kept, which no page does yet. */
const noCustomer = null

/** Where a payment is paid and could not be settled, it is tried again so often until it is. */
const unsettledMs = 3_600_000

/**
 * Asks the provider how a payment stands, by our reference, and settles it by that. A provider that does not answer changes nothing but when
 * it is asked again. Outside of any transaction.
 */
export async function askPayment(services: Services, companyId: number, payment: PaymentRow): Promise<PaymentRow> {
  if (isSettled(payment)) return payment
  const { id, reference } = payment
  let truth: Truth
  try {
    truth = await truthOf(services, payment)
  } catch (err) {
    services.log.warn({ err, companyId, reference }, 'a payment could not be asked for')
    return postpone(services, companyId, id, null)
  }
  try {
    return await settle(services, companyId, id, truth)
  } catch (err) {
    services.log.error({ err, companyId, reference, status: truth.status }, 'a payment could not be settled')
    return postpone(services, companyId, id, new Date(services.clock.now().getTime() + unsettledMs))
  }
}

async function truthOf({ payments }: Services, payment: PaymentRow): Promise<Truth> {
  // `settle` looks at what the operator saw at the bank.
  if (payment.provider === 'transfer') return unseen(payment.reference, 'unknown')
  const { reference, currency, amount, provider_ref, session_ref, created_at } = payment
  const provider = payments.named(payment.provider as 'paystack' | 'stripe')
  if (!provider) throw new Error(`${payment.provider} is not configured`)
  return provider.ask({
    reference,
    money: { amount: BigInt(amount), currency },
    providerRef: provider_ref,
    session: session_ref,
    customer: noCustomer,
    since: created_at,
  })
}

/** Leaves a payment as it is, to be asked for later; `otherwise` where it is too old for that. */
const postpone = (services: Services, companyId: number, id: string, otherwise: Date | null): Promise<PaymentRow> =>
  inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const payment = await lockPayment(of, id)
    if (isSettled(payment)) return payment
    const checkAt = nextCheck(payment.created_at, services.clock.now()) ?? otherwise
    const isGivenUp = !checkAt && payment.state !== 'failed'
    return updatePayment(of, id, { check_at: checkAt, ...(isGivenUp ? { state: 'cancelled' } : {}) })
  })
