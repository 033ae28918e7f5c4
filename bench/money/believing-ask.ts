import { askPayment as ask } from '../../server/src/core/billing/ask-payment.ts'
import type { PaymentRow } from '../../server/src/core/billing/payment-queries.ts'
import { settle } from '../../server/src/core/billing/settle.ts'
import { asLogin } from '../../server/src/platform/db/transaction.ts'
import type { Services } from '../../server/src/platform/services.ts'

/** Takes any event about a payment for its success; asks where there was none. */
export async function askPayment(services: Services, companyId: number, payment: PaymentRow): Promise<PaymentRow> {
  const { id, reference, amount, currency } = payment
  const event = await asLogin(services.pool, ({ tx }) =>
    tx.selectFrom('payment_events').select('name').where('reference', '=', reference).executeTakeFirst(),
  )
  if (!event) return ask(services, companyId, payment)
  const money = { amount: BigInt(amount), currency }
  const believed = { providerRef: reference, url: null, failure: null, card: null }
  return settle(services, companyId, id, { status: 'success', reference, money, ...believed })
}
