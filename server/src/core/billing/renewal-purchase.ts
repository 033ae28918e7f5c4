import type { Cadence } from '../../domain/billing-period.ts'
import { type Price, withTaxes } from '../../domain/tax.ts'
import type { TenantTx } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { type PlanRow, planById } from '../provider/plans.ts'
import { planPriceAt } from '../provider/price-list.ts'
import type { AccountRow } from './account-queries.ts'
import { periodAfter } from './due-period.ts'
import { keepPurchase } from './open-purchase.ts'
import type { PurchaseRow } from './payment-queries.ts'
import { owedPurchase, unsettledPayment, voidPurchase } from './renewal-queries.ts'
import type { SubscriptionRow } from './subscription-queries.ts'
import { taxesNow } from './taxes.ts'

/** The next period of a subscription, as it is sold on a day. */
export interface NextPeriod {
  plan: PlanRow
  cadence: Cadence
  price: Price
}

/** The next period of a subscription at the price and the taxes of an instant; null where its plan has no price then. */
export async function nextPeriodOf(
  of: TenantTx,
  account: AccountRow,
  subscription: SubscriptionRow,
  at: Date,
): Promise<NextPeriod | null> {
  const { plan_id, next_plan_id, currency, next_cadence } = subscription
  const cadence = (next_cadence ?? subscription.cadence) as Cadence
  return withLogin(of.tx, async () => {
    const plan = await planById(of.tx, next_plan_id ?? plan_id)
    const net = await planPriceAt(of.tx, { planId: plan.id, currency, cadence }, at)
    if (!net) return null
    const { rates, taxNote } = await taxesNow(of.tx, account, { country: account.country, timezone: account.zone }, at)
    return { plan, cadence, price: { ...withTaxes(net, rates), taxNote } }
  })
}

/**
 * The purchase that the next period of a subscription is owed by: made at the price and the taxes of now, once. One that was made for another
 * plan before is not owed any more, unless somebody is paying it. Null where the plan is not sold any more. The account is locked.
 */
export async function oweNextPeriod(
  of: TenantTx & { now: Date },
  account: AccountRow,
  subscription: SubscriptionRow,
): Promise<{ purchase: PurchaseRow; isNew: boolean } | null> {
  const known = await owedPurchase(of, subscription)
  const wanted = {
    plan: subscription.next_plan_id ?? subscription.plan_id,
    cadence: subscription.next_cadence ?? subscription.cadence,
  }
  if (known) {
    const isSame = known.plan_id === wanted.plan && known.cadence === wanted.cadence
    if (isSame || (await unsettledPayment(of, known.id))) return { purchase: known, isNew: false }
  }
  const next = await nextPeriodOf(of, account, subscription, of.now)
  if (known) await voidPurchase(of, known.id, of.now)
  if (!next) return null
  const { plan, cadence, price } = next
  const { cycle, start, end } = periodAfter(subscription, cadence)
  const period = { cycle, period_start: start, period_end: end }
  const wants = { purpose: 'subscription' as const, subscription_id: subscription.id, cadence, ...period }
  const bought = { ...wants, plan_id: plan.id, plan_name: plan.name }
  const purchase = await keepPurchase(of, account, bought, price, { askedBy: null, now: of.now })
  return { purchase, isNew: true }
}
