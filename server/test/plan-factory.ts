import { type Bought, type PaymentRow, purchaseById, updatePayment } from '../src/core/billing/payment-queries.ts'
import { settle } from '../src/core/billing/settle.ts'
import { type SubscriptionRow, subscriptionById } from '../src/core/billing/subscription-queries.ts'
import { insertPlan, type PlanRow } from '../src/core/provider/plans.ts'
import { putSeller } from '../src/core/provider/seller.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import { unseen } from '../src/platform/payments/truth.ts'
import { inCompany } from './factories.ts'
import type { TestApp } from './harness.ts'
import { aPayment } from './payment-factory.ts'

let count = 0

/** A plan of the catalogue for so many devices, without prices. */
export async function aPlan(test: TestApp, devices = 5): Promise<PlanRow> {
  count += 1
  const numbers = { name: `Plan for ${devices}`, devices, users: 10, emails: 20, phones: 5, retention_months: 12 }
  const made = await asLogin(test.pool, ({ tx }) =>
    insertPlan(tx, { code: `plan-${count}-${devices}`, ...numbers }, test.clock.now()),
  )
  if (!made) throw new Error('the plan was there')
  return made
}

/** A payment of a period of a plan that was begun; a first one where nothing else is said. */
export const aPeriod = (
  test: TestApp,
  { companyId, zone }: { companyId: number; zone?: string },
  plan: Pick<PlanRow, 'id' | 'name'>,
  more: Partial<Bought> = {},
): Promise<PaymentRow> =>
  aPayment(test, {
    ...{ companyId, ...(zone ? { zone } : {}) },
    wanted: { purpose: 'subscription', plan_id: plan.id, plan_name: plan.name, cadence: 'monthly', ...more },
  })

/** A plan that waits for a transfer. */
export async function aTransfer(test: TestApp, company: { companyId: number }): Promise<{ id: string }> {
  const { id, reference } = await aPeriod(test, company, await aPlan(test))
  await aSeller(test)
  const bank = { holder: 'Seller Ltd', bank: 'First Bank', account: '0123456789', bic: null, branch: null }
  const transfer = { ...bank, reference, until: test.clock.now().toISOString() }
  await inCompany(test, company.companyId, (ctx) =>
    updatePayment(ctx, id, { state: 'action', transfer: JSON.stringify(transfer) }),
  )
  return { id }
}

async function aSeller(test: TestApp): Promise<void> {
  const seller = { name: 'Seller Ltd', address: '1 Marina', country: 'NG', tax_number: null, email: null }
  await asLogin(test.pool, ({ tx }) => putSeller(tx, seller, test.clock.now()))
}

/** Settles a payment as one that the provider says is paid. */
export const paid = async (test: TestApp, { companyId }: { companyId: number }, payment: PaymentRow) => {
  await aSeller(test)
  const { amount, currency, reference } = payment
  return settle(test.services, companyId, payment.id, {
    ...unseen(reference, 'success'),
    money: { amount: BigInt(amount), currency },
    providerRef: reference,
  })
}

/** A subscription whose first period is paid now. */
export async function aSubscription(
  test: TestApp,
  company: { companyId: number; zone?: string },
  plan: Pick<PlanRow, 'id' | 'name'>,
  more: Partial<Bought> = {},
): Promise<SubscriptionRow> {
  const settled = await paid(test, company, await aPeriod(test, company, plan, more))
  if (settled.state !== 'succeeded') throw new Error(`the payment is ${settled.state}`)
  return inCompany(test, company.companyId, async (ctx) => {
    const { subscription_id: id } = await purchaseById(ctx, settled.purchase_id)
    const made = id && (await subscriptionById(ctx, id))
    if (!made) throw new Error('no subscription')
    return made
  })
}
