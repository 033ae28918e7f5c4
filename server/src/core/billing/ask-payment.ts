import { inTenant } from '../../platform/db/transaction.ts'
import type { ChargeableCard, PaymentProvider, Truth } from '../../platform/payments/provider.ts'
import { unseen } from '../../platform/payments/truth.ts'
import type { Services } from '../../platform/services.ts'
import { cardById } from './card-queries.ts'
import { chargeableOf } from './cards.ts'
import { nextCheck } from './next-check.ts'
import { isSettled, lockPayment, type PaymentRow, updatePayment } from './payment-queries.ts'
import { settle } from './settle.ts'

/** Whether nobody waits for it any more. One that failed is asked for only where its provider tells of it, or lists it as paid. */
export const hasEnded = (payment: PaymentRow): boolean => isSettled(payment) || payment.state === 'failed'

/** A payment that is too old to be asked for by its age is asked for so often, until there is an answer and it is settled by that. */
const unansweredMs = 3_600_000
/** A provider that has not answered for so long about a payment is not asked any more, as one that is not configured any more. */
const unreachableMs = 60 * 86_400_000

/**
 * Asks the provider how a payment stands, by our reference, and settles it by that. A provider that does not answer changes nothing but when
 * it is asked again. Outside of any transaction.
 */
export async function askPayment(services: Services, companyId: number, payment: PaymentRow): Promise<PaymentRow> {
  if (isSettled(payment)) return payment
  // `settle` looks at what the operator saw at the bank.
  const isTransfer = payment.provider === 'transfer'
  return settleBy(services, companyId, payment, async () =>
    isTransfer ? unseen(payment.reference, 'unknown') : (await truthOf(services, payment)).truth,
  )
}

/** Settles a payment by what its provider says; where nothing can be said, it is asked for later. */
export async function settleBy(
  services: Services,
  companyId: number,
  { id, reference }: PaymentRow,
  find: () => Promise<Truth>,
): Promise<PaymentRow> {
  let truth: Truth
  try {
    truth = await find()
  } catch (err) {
    services.log.warn({ err, companyId, reference }, 'a payment could not be asked for')
    return postpone(services, companyId, id, unreachableMs)
  }
  try {
    return await settle(services, companyId, id, truth)
  } catch (err) {
    services.log.error({ err, companyId, reference, status: truth.status }, 'a payment could not be settled')
    return postpone(services, companyId, id, Number.POSITIVE_INFINITY)
  }
}

/** So far back a charge of the same reference is looked for: this payment may have been made anew after a restore of an older database. */
const restoredMs = 35 * 86_400_000

export const moneyOf = ({ amount, currency }: PaymentRow) => ({ amount: BigInt(amount), currency })

/** The provider's word on a payment, and the saved card that pays it, where there is one. */
export async function truthOf(
  { payments, pool, secret }: Services,
  payment: PaymentRow,
): Promise<{ truth: Truth; provider: PaymentProvider; card: ChargeableCard | null }> {
  const { company_id: companyId, card_id, reference, provider_ref, session_ref, created_at } = payment
  const provider = payments.named(payment.provider as 'paystack' | 'stripe')
  if (!provider) throw new Error(`${payment.provider} is not configured`)
  const saved = card_id && (await inTenant(pool, companyId, ({ tx }) => cardById({ tx, companyId }, card_id)))
  const card = saved ? chargeableOf(secret, saved) : null
  const truth = await provider.ask({
    reference,
    money: moneyOf(payment),
    providerRef: provider_ref,
    session: session_ref,
    customer: card?.customer ?? null,
    since: new Date(created_at.getTime() - (card ? restoredMs : 0)),
  })
  return { truth, provider, card }
}

/** Leaves a payment as it is, to be asked for later; one that is older than `maxAgeMs` is given up. */
const postpone = (services: Services, companyId: number, id: string, maxAgeMs: number): Promise<PaymentRow> =>
  inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const payment = await lockPayment(of, id)
    if (isSettled(payment)) return payment
    const now = services.clock.now()
    const isTooOld = now.getTime() - payment.created_at.getTime() > maxAgeMs
    const later = isTooOld ? null : new Date(now.getTime() + unansweredMs)
    const checkAt = nextCheck(payment.created_at, now) ?? later
    const isGivenUp = !checkAt && payment.state !== 'failed'
    return updatePayment(of, id, { check_at: checkAt, ...(isGivenUp ? { state: 'cancelled' } : {}) })
  })
