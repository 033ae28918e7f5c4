import { inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { nextCheck } from './next-check.ts'
import { type PaymentRow, paymentById, updatePayment } from './payment-queries.ts'
import { settle } from './settle.ts'

const ENDED = ['succeeded', 'failed', 'review']
export const hasEnded = ({ state }: PaymentRow): boolean => ENDED.includes(state)

/** The provider's id of its payer is known once a card is kept, which no page does yet. */
const noCustomer = null

/**
 * Asks the provider how a payment stands, by our reference, and settles it by that. A provider that does not answer changes nothing but when
 * it is asked again. Outside of any transaction.
 */
export async function askPayment(services: Services, companyId: number, payment: PaymentRow): Promise<PaymentRow> {
  if (hasEnded(payment)) return payment
  const { id, reference, currency, amount, provider_ref, session_ref, created_at } = payment
  try {
    const provider = services.payments.named(payment.provider as 'paystack' | 'stripe')
    if (!provider) throw new Error(`${payment.provider} is not configured`)
    const truth = await provider.ask({
      reference,
      money: { amount: BigInt(amount), currency },
      providerRef: provider_ref,
      session: session_ref,
      customer: noCustomer,
      since: created_at,
    })
    return await settle(services, companyId, id, truth)
  } catch (err) {
    services.log.warn({ err, companyId, reference }, 'a payment could not be asked for')
    return postpone(services, companyId, id)
  }
}

/** Leaves a payment as it is, to be asked for later. */
const postpone = (services: Services, companyId: number, id: string): Promise<PaymentRow> =>
  inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const payment = await paymentById(of, id)
    if (!payment) throw new Error('a payment is gone')
    if (hasEnded(payment)) return payment
    const now = services.clock.now()
    const checkAt = nextCheck(payment.created_at, now)
    return updatePayment(of, id, { check_at: checkAt, ...(checkAt ? {} : { state: 'cancelled' }) })
  })
