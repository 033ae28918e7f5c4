import { inTenant } from '../../platform/db/transaction.ts'
import type { Begun, PaymentProvider, Refused, ToPay } from '../../platform/payments/provider.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from './account-queries.ts'
import { customerOf, forgetCustomer } from './card-queries.ts'
import { nextCheck } from './next-check.ts'
import { lockPayment, type PaymentRow, updatePayment } from './payment-queries.ts'

/** The parts of a page that are not kept with its payment. */
export type PageText = Pick<ToPay, 'email' | 'description' | 'returnUrl' | 'locale'>

/**
 * Has the provider make the page of a payment that was committed. Where no answer comes nobody has the page's address, so nobody pays there: the
 * payment is cancelled, and asked for later all the same. Outside of any transaction.
 */
export async function beginPayment(
  services: Services,
  provider: PaymentProvider,
  companyId: number,
  payment: PaymentRow,
  text: PageText,
): Promise<PaymentRow> {
  const { id, reference, currency, amount, closes_at: closesAt, keeps_card: keepCard } = payment
  const page = {
    ...text,
    reference,
    money: { amount: BigInt(amount), currency },
    customer: keepCard ? await readCustomer(services, companyId, provider.name) : null,
    keepCard,
    closesAt,
  }
  const begun = await provider.begin(page).catch((err: unknown) => {
    services.log.warn({ err, companyId, reference }, 'the page of a payment was not made')
    return null
  })
  if (begun && 'refused' in begun)
    services.log.warn({ companyId, reference, ...begun.refused }, 'the page of a payment was refused')
  if (begun && 'refused' in begun && page.customer)
    await inTenant(services.pool, companyId, ({ tx }) => forgetCustomer({ tx, companyId }, provider.name))
  return keepPage(services, companyId, id, begun)
}

const readCustomer = ({ pool }: Services, companyId: number, provider: string): Promise<string | null> =>
  inTenant(pool, companyId, ({ tx }) => customerOf({ tx, companyId }, provider))

/** A payment that ended meanwhile stays as it is. */
const keepPage = (services: Services, companyId: number, id: string, begun: Begun | Refused | null) =>
  inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    await lockAccount(of)
    const payment = await lockPayment(of, id)
    if (payment.state !== 'created' && payment.state !== 'cancelled') return payment
    if (begun === null) return updatePayment(of, id, { state: 'cancelled' })
    if ('refused' in begun) {
      const { code, text } = begun.refused
      return updatePayment(of, id, { state: 'failed', check_at: null, failure_code: code, failure_text: text })
    }
    return updatePayment(of, id, {
      state: 'action',
      page_url: begun.url,
      session_ref: begun.session,
      check_at: nextCheck(payment.created_at, services.clock.now()),
    })
  })
